package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The client works with the Netty that Spring Boot 3.5 brings. */
final class Netty41Test {
  @Test
  void theClientReadsAndWritesWithNetty41() throws Exception {
    try (Server server = new Server();
        OtherClassPath classes = OtherClassPath.with(Path.of("target", "netty41"), "netty-")) {
      assertThat(classes.run(Netty41Client.class, server.address()))
          .isEqualTo("netty-transport-4.1.128.Final.jar Ada");
      assertThatThrownBy(() -> classes.loadClass("io.netty.channel.MultiThreadIoEventLoopGroup"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }
}
