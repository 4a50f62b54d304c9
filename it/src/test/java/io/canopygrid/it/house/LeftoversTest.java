package io.canopygrid.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Each thing that a class leaves behind is seen. */
final class LeftoversTest {
  private final Set<String> before = Leftovers.everything();

  @Test
  void aThread() throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                enough.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "canopy-left");
    thread.start();
    try {
      assertThat(Leftovers.left(before))
          .anySatisfy(left -> assertThat(left).contains("canopy-left"));
    } finally {
      enough.countDown();
      thread.join();
    }
    assertThat(Leftovers.left(before))
        .noneSatisfy(left -> assertThat(left).contains("canopy-left"));
  }

  @Test
  void aPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Leftovers.left(before)).contains("port " + socket.getLocalPort());
    }
  }

  @Test
  void aProcess() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      assertThat(Leftovers.left(before))
          .anySatisfy(left -> assertThat(left).startsWith("process " + process.pid()));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
