package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.infinispan.tls.Identities;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same where members know each other by an identity: all goes by TLS. */
final class SecuredExchangesTest extends ExchangesTest {
  @TempDir private static Path directory;

  private static @Nullable NodeIdentity identity;

  @BeforeAll
  static void makeIdentity() throws IOException {
    identity = Identities.of(directory.resolve("cluster.pem"));
  }

  @Override
  @Nullable NodeIdentity identity() {
    return identity;
  }
}
