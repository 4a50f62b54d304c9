package io.canopygrid.gmu.infinispan.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three members, of which one asks. */
@Timeout(120)
final class ExchangesTest {
  private static final String LONG = "x".repeat(40_000);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final List<Member> members = new ArrayList<>();
  private Member a;
  private Member b;
  private Member c;

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      Member member = new Member(members, null);
      // A busy machine can take longer than an answer is waited for on the connection.
      member.exchanges.waitAtMost(PATIENCE_NANOS, PATIENCE_NANOS);
      members.add(member);
    }
    a = members.get(0);
    b = members.get(1);
    c = members.get(2);
    await(() -> members.stream().allMatch(member -> member.channel.getView().size() == 3));
    b.reaction = (from, text) -> b.say(from, "re " + text);
    for (Member to : List.of(b, c)) {
      await(() -> {
        exchange(() -> a.ask(to.address(), "first"), () -> false);
        return to.heard.remove("first");
      });
    }
    members.forEach(Member::forget);
  }

  @AfterEach
  void stop() {
    members.forEach(Member::close);
    await(() ->
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("canopy-exchange")));
  }

  @Test
  void whoAsksTakesTheAnswerIn() {
    assertThat(exchange(() -> a.ask(b.address(), "1"), () -> false)).isTrue();

    assertThat(b.heard).containsExactly("1");
    assertThat(a.heard).containsExactly("re 1");
    assertThat(a.hearers).containsExactly(Thread.currentThread());
    assertThat(a.sent).isEmpty();
    assertThat(b.sent).isEmpty();
  }

  private int exchangePort(Member of) {
    return of.port + 200;
  }

  private static long servingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("canopy-exchange-/"))
        .count();
  }

  @Test
  void aHelloFromWhereNoMemberIsGetsNoAnswer() throws IOException {
    try (Socket stranger = new Socket()) {
      stranger.bind(new InetSocketAddress("127.0.0.2", 0));
      stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), exchangePort(b)));
      assertThatThrownBy(() -> new Hello(a.address(), b.address(), Member.GRID).sayTo(stranger))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void fewConnectionsThatSayNothingHaveAThread() throws IOException {
    long before = servingThreads();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), exchangePort(b)));
      }
      assertThat(servingThreads()).isLessThanOrEqualTo(before + 66);
      // All are closed in the end, and members are served as before.
      await(() -> servingThreads() <= before);
      assertThat(exchange(() -> a.ask(b.address(), "1"), () -> false)).isTrue();
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void whatIsAskedOutsideAnExchangeGoesThroughTheChannel() {
    assertThat(a.ask(b.address(), "1")).isFalse();
    assertThat(exchange(() -> a.say(b.address(), "2"), () -> false)).isFalse();
    assertThat(a.sent).containsExactly("1", "2");
    assertThat(b.heard).isEmpty();
  }

  @Test
  void severalAreAskedAtTheSameTime() {
    CountDownLatch both = new CountDownLatch(2);
    for (Member asked : List.of(b, c)) {
      asked.reaction =
          (from, text) -> {
            both.countDown();
            awaitQuietly(both);
            asked.say(from, "re " + text);
          };
    }
    exchange(() -> a.ask(b.address(), "1") && a.ask(c.address(), "2"), () -> false);
    assertThat(a.heard).containsExactlyInAnyOrder("re 1", "re 2");
  }

  @Test
  void whoHasToAskSomebodyElseAnswersAfterwards() {
    b.reaction =
        (from, text) -> {
          if (from.equals(a.address())) {
            b.ask(c.address(), "of b: " + text);
          } else {
            b.say(a.address(), text);
          }
        };
    c.reaction = (from, text) -> c.say(from, "by c " + text);
    awaitConnection(b, c);

    exchange(() -> a.ask(b.address(), "1"), () -> false);
    assertThat(a.heard).containsExactly("by c of b: 1");
    assertThat(a.hearers).containsExactly(Thread.currentThread());
  }

  /** As a primary does whose backup is the coordinator. */
  @Test
  void whoIsAskedBackGoesOnOnTheSameThread() {
    a.reaction =
        (from, text) -> {
          if (text.equals("back")) {
            a.say(from, "done");
          }
        };
    b.reaction = (from, text) -> b.say(from, text.equals("1") ? "back" : "end");

    exchange(() -> a.ask(b.address(), "1"), () -> false);
    assertThat(a.heard).containsExactly("back", "end");
    assertThat(b.heard).containsExactly("1", "done");
    assertThat(a.sent).isEmpty();
  }

  @Test
  void whoHasAllAsksNothingMore() {
    a.reaction = (from, text) -> a.ask(c.address(), "later");
    exchange(() -> a.ask(b.address(), "1"), () -> a.heard.contains("re 1"));
    assertThat(a.sent).containsExactly("later");
    assertThat(c.heard).isEmpty();
  }

  @Test
  void whatIsKnownIsAnsweredBeforeOthersAreAsked() {
    CountDownLatch answered = new CountDownLatch(1);
    b.reaction =
        (from, text) -> {
          b.say(from, "re " + text);
          b.ask(c.address(), "beside");
        };
    c.reaction = (from, text) -> awaitQuietly(answered);
    exchange(() -> a.ask(b.address(), "1"), () -> false);
    answered.countDown();
    assertThat(a.heard).containsExactly("re 1");
    await(() -> b.sent.contains("beside"));
  }

  @Test
  void messagesAreAsLongAsAFrame() {
    exchange(() -> a.ask(b.address(), LONG), () -> false);
    assertThat(a.heard).containsExactly("re " + LONG);

    exchange(() -> a.ask(b.address(), LONG) && a.ask(b.address(), LONG + "y"), () -> false);
    assertThat(a.sent).as("no room for a second one").containsExactly(LONG + "y");
    assertThat(b.heard).containsExactly(LONG, LONG);
    assertThat(a.ask(b.address(), LONG + LONG)).isFalse();
  }

  /** The protocol says again what it has to. */
  @Test
  void whoGetsNoAnswerInTimeGoesOn() {
    a.exchanges.waitAtMost(SHORT_NANOS, SHORT_NANOS);
    CountDownLatch over = new CountDownLatch(1);
    b.reaction =
        (from, text) -> {
          awaitQuietly(over);
          b.say(from, "late");
        };
    exchange(() -> a.ask(b.address(), "1"), () -> false);
    over.countDown();
    assertThat(a.heard).isEmpty();
    a.exchanges.waitAtMost(PATIENCE_NANOS, PATIENCE_NANOS);
    b.reaction = (from, text) -> b.say(from, "re " + text);
    awaitConnection(a, b);
    assertThat(a.heard).as("nobody reads the answer to an earlier question").doesNotContain("late");
  }

  @Test
  void whoHasNoTimeForAConnectionAsksThroughTheChannel() {
    a.exchanges.exchange(() -> a.ask(b.address(), "1"), () -> false, System.nanoTime());
    assertThat(a.sent).containsExactly("1");
    assertThat(b.heard).isEmpty();
  }

  /** As one of two backups that is stopped. */
  @Test
  void whoIsLateDoesNotKeepAnotherFromBeingHeard() {
    a.exchanges.waitAtMost(2 * SHORT_NANOS, SHORT_NANOS);
    CountDownLatch over = new CountDownLatch(1);
    c.reaction = (from, text) -> awaitQuietly(over);
    exchange(() -> a.ask(c.address(), "1") && a.ask(b.address(), "2"), () -> false);
    over.countDown();
    assertThat(a.heard).containsExactly("re 2");
    assertThat(a.hearers).containsExactly(Thread.currentThread());
  }

  /** As the one of two primaries that refuses ends a transaction. */
  @Test
  void whoHasAllWaitsForNobodyElse() {
    CountDownLatch over = new CountDownLatch(1);
    c.reaction =
        (from, text) -> {
          awaitQuietly(over);
          c.say(from, "of c");
        };
    exchange(
        () -> a.ask(b.address(), "1") && a.ask(c.address(), "2"), () -> a.heard.contains("re 1"));
    assertThat(a.heard).containsExactly("re 1");
    over.countDown();
    await(() -> a.heard.contains("of c"));
    assertThat(a.hearers.stream().filter(Thread.currentThread()::equals)).hasSize(1);
  }

  @Test
  void whatWasOnAConnectionThatBreaksIsSaidThroughTheChannel() {
    b.reaction = (from, text) -> b.exchanges.close();
    exchange(() -> a.ask(b.address(), "1"), () -> false);
    assertThat(a.heard).isEmpty();
    assertThat(a.sent).containsExactly("1");
    exchange(() -> a.ask(b.address(), "2"), () -> false);
    assertThat(a.sent).containsExactly("1", "2");
  }

  @Test
  void aGridThatHasClosedServesNobodyAndCanBeJoinedAgain() {
    ExchangeProtocol protocol = b.channel.getProtocolStack().findProtocol(ExchangeProtocol.class);
    assertThatThrownBy(() -> protocol.join(Member.GRID, b))
        .isInstanceOf(IllegalStateException.class);
    b.exchanges.close();
    try (Exchanges again = protocol.join(Member.GRID, b)) {
      b.reaction =
          (from, text) -> again.answers(from, ByteBuffer.wrap(("again " + text).getBytes(UTF_8)));
      await(() -> {
        exchange(() -> a.ask(b.address(), "1"), () -> false);
        return a.heard.contains("again 1");
      });
    }
  }

  @Test
  void whatIsForOneThatHasLeftGoesThroughTheChannel() {
    Address gone = b.address();
    b.reaction = (from, text) -> b.exchanges.close();
    exchange(() -> a.ask(gone, "1"), () -> false);
    b.channel.close();
    await(() -> a.channel.getView().size() == 2);
    a.forget();
    exchange(() -> a.ask(gone, "2"), () -> false);
    assertThat(a.sent).containsExactly("2");
  }

  @Test
  void anInterruptedThreadAsksThroughTheChannelAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    exchange(() -> a.ask(b.address(), "1"), () -> false);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(a.sent).containsExactly("1");
    exchange(() -> a.ask(b.address(), "2"), () -> false);
    assertThat(a.heard).containsExactly("re 2");
  }

  @Test
  void strangersAreNotWelcome() throws IOException {
    try (Socket socket = dial(b)) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      assertEnded(socket);
    }
    assertNotWelcome(new Hello(UUID.randomUUID(), b.address(), Member.GRID));
    assertNotWelcome(new Hello(a.address(), UUID.randomUUID(), Member.GRID));
    assertNotWelcome(new Hello(a.address(), b.address(), "another grid"));
    try (Socket silent = dial(b)) {
      assertEnded(silent);
    }
    assertThat(b.heard).isEmpty();
  }

  private void assertNotWelcome(Hello hello) throws IOException {
    try (Socket socket = dial(b)) {
      assertThatThrownBy(() -> hello.sayTo(socket)).isInstanceOf(IOException.class);
    }
  }

  private static void assertEnded(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    try {
      assertThat(socket.getInputStream().read()).isNegative();
    } catch (SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  private static Socket dial(Member member) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), member.port + 200);
  }

  private boolean exchange(BooleanSupplier asking, BooleanSupplier isDone) {
    return exchange(a, asking, isDone);
  }

  private static boolean exchange(Member from, BooleanSupplier asking, BooleanSupplier isDone) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    return from.exchanges.exchange(asking, isDone, deadline);
  }

  /** Until one member asks another on a connection. */
  private static void awaitConnection(Member from, Member to) {
    await(() -> {
      exchange(from, () -> from.ask(to.address(), "hello"), () -> false);
      return to.heard.contains("hello");
    });
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(10, TimeUnit.SECONDS);
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
