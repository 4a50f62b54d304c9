package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnInfinispanTest {
  @ParameterizedTest
  @CsvSource({"1000, 800, 160, 200", "10000, 9000, 1800, 1000"})
  void theFailureTimeoutIsSplitBetweenNoticingAndAskingOnceMore(
      long timeout, long silent, long interval, long verify) throws IOException {
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", FreePort.pick(), List.of(), timeout, Optional.empty());
    try (EmbeddedCacheManager caches = OwnInfinispan.start("times", network)) {
      JGroupsTransport transport =
          (JGroupsTransport)
              GlobalComponentRegistry.of(caches).getComponent(Transport.class.getName());
      ProtocolStack stack = transport.getChannel().getProtocolStack();
      FD_ALL3 detector = stack.findProtocol(FD_ALL3.class);
      VERIFY_SUSPECT2 again = stack.findProtocol(VERIFY_SUSPECT2.class);

      assertThat(detector.getTimeout()).isEqualTo(silent);
      assertThat(detector.getInterval()).isEqualTo(interval);
      assertThat(again.getTimeout()).isEqualTo(verify);
    }
  }

  @Test
  void aFailureTimeoutBelowASecondIsRefused() {
    assertThatThrownBy(
            () -> new NetworkSettings("127.0.0.1", 7800, List.of(), 999, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be >= 1000: failureTimeoutMillis=999");
  }

  @Test
  void aStackFileThatIsNotThereOrIsNoneIsRefused(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("missing.xml");
    Path broken = Files.writeString(directory.resolve("broken.xml"), "<config><NO_SUCH/></config>");

    assertThatThrownBy(() -> OwnInfinispan.start("stack", with(missing)))
        .isInstanceOf(JoinException.class)
        .hasMessage("stack: there is no file " + missing)
        .extracting(e -> ((JoinException) e).reason())
        .isEqualTo(JoinException.Reason.STACK_UNUSABLE);
    assertThatThrownBy(() -> OwnInfinispan.start("stack", with(broken)))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("stack " + broken + " cannot be used")
        .hasMessageContaining("NO_SUCH");
  }

  private static NetworkSettings with(Path stack) throws IOException {
    return new NetworkSettings("127.0.0.1", FreePort.pick(), List.of(), 10_000, Optional.of(stack));
  }
}
