package io.canopygrid.gmu.infinispan.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.infinispan.tls.Identities;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two members that know each other by an identity. */
@Timeout(120)
final class SecuredExchangesTest {
  /** Several records of TLS. */
  private static final String LONG = "x".repeat(50_000);

  @TempDir private Path directory;
  private NodeIdentity identity;
  private Member a;
  private Member b;

  @BeforeEach
  void start() throws Exception {
    identity = Identities.of(directory.resolve("cluster.pem"));
    a = new Member(List.of(), identity);
    b = new Member(List.of(a), identity);
    await(() -> a.channel.getView().size() == 2);
    b.reaction = (from, text) -> b.say(from, "re " + text);
    await(() -> {
      ask("first");
      return b.heard.remove("first");
    });
    a.forget();
    b.forget();
  }

  @AfterEach
  void stop() {
    b.close();
    a.close();
  }

  @Test
  void whoAsksTakesTheAnswerInHoweverLongItIs() {
    for (String text : List.of("1", LONG, "2")) {
      // A busy machine can take longer than an answer is waited for on the connection.
      await(() -> {
        ask(text);
        return a.heard.contains("re " + text);
      });
    }
    assertThat(a.hearers).contains(Thread.currentThread());
  }

  @Test
  void strangersAreNotWelcome() throws IOException {
    assertTurnedAway(dial());
    NodeIdentity foreign = Identities.of(directory.resolve("foreign.pem"));
    assertThatThrownBy(() -> foreign.call(dial())).isInstanceOf(IOException.class);
    Hello unknown = new Hello(UUID.randomUUID(), b.address(), Member.GRID);
    try (Socket secured = identity.call(dial())) {
      assertThatThrownBy(() -> unknown.sayTo(secured)).isInstanceOf(IOException.class);
    }
    assertThat(b.heard).isEmpty();
  }

  /** Closing does not wait for what another thread waits for. */
  @Test
  void anAnswerThatDoesNotComeIsNotWaitedForTooLong() {
    CountDownLatch late = new CountDownLatch(1);
    b.reaction = (from, text) -> awaitQuietly(late);
    long begin = System.nanoTime();
    ask("1");
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(10));
    late.countDown();
    assertThat(a.heard).isEmpty();
  }

  private void ask(String text) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    a.exchanges.exchange(() -> a.ask(b.address(), text), () -> false, deadline);
  }

  private Socket dial() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), b.port + 200);
  }

  private static void assertTurnedAway(Socket plain) throws IOException {
    try (plain) {
      plain.setSoTimeout(10_000);
      plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      assertThat(plain.getInputStream().readNBytes(100)).as("a word of TLS").hasSizeLessThan(100);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("in time").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
