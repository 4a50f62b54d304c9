package io.canopygrid.client.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that wait on one connection read it for each other, and one that goes leaves it whole.
 */
@Timeout(120)
@NullUnmarked // the connection is there while a test runs
final class SharedReadingTest {
  private static final ConnectSettings SETTINGS =
      new ConnectSettings(null, null, false, null, 30_000, 30_000);

  /** So many waits that the event loop has given the reading away. */
  private static final int MANY = 50;

  private static final int THREADS = 16;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<WireCodec.Framed> asked = new LinkedBlockingQueue<>();
  private final Connector connector = new Connector(SETTINGS, new UUID(1, 2));
  private ServerSocket listening;
  private Socket server;
  private Connection connection;

  @BeforeEach
  void connect() throws Exception {
    listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    CompletableFuture<Connection> opened =
        connector.open("127.0.0.1", listening.getLocalPort(), null);
    server = listening.accept();
    var unused = threads.submit(this::take);
    WireCodec.Framed hello = asked.take();
    assertThat(hello.message()).isInstanceOf(Request.Hello.class);
    say(0, welcome());
    connection = opened.get(30, TimeUnit.SECONDS);
    for (int i = 0; i < MANY; i++) {
      Future<byte[]> got = ask(key(i));
      answerNext();
      assertThat(got.get()).isEqualTo(key(i));
    }
  }

  @AfterEach
  void stop() throws IOException {
    connector.close();
    server.close();
    listening.close();
    threads.shutdownNow();
  }

  private static Reply.Welcome welcome() {
    return new Reply.Welcome(
        WireLimits.VERSION,
        0,
        "a",
        "test",
        new GridInfo(GridId.random(), Instant.EPOCH),
        1,
        16,
        new Reply.Limits(WireLimits.FRAME_BYTES_MAX, 1_000, 1_000, 1_000, 1 << 30, 60_000),
        List.of());
  }

  private void take() {
    try {
      DataInputStream in = new DataInputStream(server.getInputStream());
      while (true) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        asked.add(WireCodec.decode(frame));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private synchronized void say(int stream, ClientMessage message) {
    try {
      server.getOutputStream().write(WireCodec.encode(stream, message));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** Asks for a key on a thread of its own, and waits there. */
  private Future<byte[]> ask(byte... key) {
    return threads.submit(() -> value(asked(key).get(100, TimeUnit.SECONDS)));
  }

  private static byte[] value(Answer answer) {
    return Objects.requireNonNull(((Reply.Value) answer.reply()).value());
  }

  private CompletableFuture<Answer> asked(byte[] key) {
    return connection.ask(new Request.Get(new Step(1, null, List.of(), false), 1, key));
  }

  /** Answers the next question with the key that it asks for. */
  private void answerNext() throws InterruptedException {
    answer(asked.take());
  }

  private void answer(WireCodec.Framed question) {
    byte[] key = ((Request.Get) question.message()).key();
    say(question.stream(), new Reply.Value(new Reply.Seen(false, VectorClock.ZERO), key));
  }

  @Test
  void eachOfManyThreadsHasItsOwnAnswerInWhateverOrderTheyCome() throws Exception {
    List<Future<?>> callers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread * MANY;
      callers.add(
          threads.submit(() -> {
            for (int number = first; number < first + MANY; number++) {
              assertThat(value(asked(key(number)).get(100, TimeUnit.SECONDS)))
                  .isEqualTo(key(number));
            }
            return null;
          }));
    }
    Random random = new Random(7);
    List<WireCodec.Framed> open = new ArrayList<>();
    for (int taken = 0; taken < THREADS * MANY || !open.isEmpty(); ) {
      if (open.isEmpty()) {
        open.add(asked.take());
        taken++;
      }
      taken += asked.drainTo(open);
      answer(open.remove(random.nextInt(open.size())));
    }
    for (Future<?> caller : callers) {
      caller.get();
    }
  }

  /** The first of two is the reader: it goes, and the second has to read on. */
  @Test
  void aReaderThatIsInterruptedLeavesTheReadingToTheNext() throws Exception {
    CompletableFuture<Thread> interrupted = new CompletableFuture<>();
    Future<byte[]> first =
        threads.submit(() -> {
          interrupted.complete(Thread.currentThread());
          return value(asked(key(1)).get(100, TimeUnit.SECONDS));
        });
    WireCodec.Framed unanswered = asked.take();
    Future<byte[]> second = ask(key(2));
    final WireCodec.Framed question = asked.take();
    interrupted.get().interrupt();
    assertThatThrownBy(first::get).hasCauseInstanceOf(InterruptedException.class);
    answer(question);
    assertThat(second.get()).isEqualTo(key(2));
    answer(unanswered); // of which nobody wants to know
    Future<byte[]> third = ask(key(3));
    answerNext();
    assertThat(third.get()).isEqualTo(key(3));
  }

  @Test
  void aReaderWhoseTimeIsOverLeavesTheReadingToTheNext() throws Exception {
    Future<byte[]> first = threads.submit(() -> value(asked(key(1)).get(1, TimeUnit.SECONDS)));
    asked.take();
    Future<byte[]> second = ask(key(2));
    final WireCodec.Framed question = asked.take();
    assertThatThrownBy(first::get).hasCauseInstanceOf(TimeoutException.class);
    answer(question);
    assertThat(second.get()).isEqualTo(key(2));
  }

  @Test
  void allThatWaitHearOfTheEnd() throws Exception {
    List<Future<byte[]>> waiting = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      waiting.add(ask(key(thread)));
      asked.take();
    }
    server.close();
    for (Future<byte[]> each : waiting) {
      assertLost(each, "the server closed the connection");
    }
    assertThat(connection.isUsable()).isFalse();
  }

  @Test
  void allThatWaitHearThatTheConnectionIsClosedHere() throws Exception {
    List<Future<byte[]>> waiting = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      waiting.add(ask(key(thread)));
      asked.take();
    }
    connection.close("no more is wanted");
    for (Future<byte[]> each : waiting) {
      assertLost(each, "no more is wanted");
    }
    assertThat(server.getInputStream().read()).as("the server hears of it").isNegative();
  }

  private static void assertLost(Future<byte[]> answer, String why) {
    assertThatThrownBy(answer::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(LostConnectionException.class)
        .hasStackTraceContaining(why);
  }

  @Test
  void bytesThatAreNoFrameEndTheConnection() throws Exception {
    Future<byte[]> waiting = ask(key(1));
    asked.take();
    server.getOutputStream().write(new byte[] {-1, -1, -1, -1, 0});
    assertLost(waiting, "it does not speak the protocol");
  }

  @Test
  void whatTheServerSaysWhileNobodyWaitsIsHeard() throws Exception {
    say(0, new ClientMessage.Ping(7));
    assertThat(asked.take().message()).isEqualTo(new ClientMessage.Pong(7));
    CompletableFuture<Answer> late = asked(key(8));
    answerNext();
    CompletableFuture<Answer> heard = new CompletableFuture<>();
    var unused = late.thenAccept(heard::complete);
    assertThat(value(heard.get(100, TimeUnit.SECONDS))).isEqualTo(key(8));
  }

  @Test
  void longFramesComeAndGoWhole() throws Exception {
    for (int length : new int[] {16_370, 16_384, 70_000, 5_000_000}) {
      byte[] key = new byte[length];
      new Random(length).nextBytes(key);
      List<Future<byte[]>> waiting = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        waiting.add(ask(key));
      }
      for (int thread = 0; thread < 4; thread++) {
        answerNext();
      }
      for (Future<byte[]> each : waiting) {
        assertThat(each.get()).isEqualTo(key);
      }
    }
  }
}
