package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.server.security.PemTls;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short run of {@link PipelineFuzz}. {@code -Dcanopy.fuzz.inputs=10000000} makes it longer,
 * {@code -Dcanopy.fuzz.seed} another one.
 */
final class PipelineFuzzTest {
  private static final long INPUTS = Long.getLong("canopy.fuzz.inputs", 10_000);
  private static final long SEED = Long.getLong("canopy.fuzz.seed", 1);

  @TempDir private Path directory;

  @Test
  void whateverComesIsAnsweredOrClosedWithAReason() {
    CertificateMaker.writeForServer(directory, List.of("localhost"), List.of());
    PemTls tls = new PemTls(directory.resolve("cert.pem"), directory.resolve("key.pem"));
    long beganNanos = System.nanoTime();
    try (PipelineFuzz fuzz = new PipelineFuzz(SEED, tls)) {
      fuzz.run(INPUTS);
      Map<String, Long> ends = fuzz.ends();
      System.out.printf(
          "%d inputs from seed %d in %d s, at most %d bytes in buffers: %s%n",
          INPUTS, SEED, (System.nanoTime() - beganNanos) / 1_000_000_000, fuzz.heldMax(), ends);
      assertThat(ends)
          .as("seed=%d", SEED)
          .containsKeys(
              "OPEN frames",
              "OPEN HTTP 200",
              "OPEN HTTP 400",
              "OPEN " + ErrorCode.PROTOCOL_ERROR,
              "OPEN " + ErrorCode.NOT_CONNECTED,
              "OPEN " + ErrorCode.INVALID_TOKEN,
              "OPEN " + ErrorCode.GRID_CHANGED,
              "GUARDED " + ErrorCode.UNAUTHENTICATED,
              "TLS " + ErrorCode.PROTOCOL_ERROR,
              "TLS HTTP 400",
              "TLS TLS");
    }
  }
}
