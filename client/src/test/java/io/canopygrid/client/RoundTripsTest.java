package io.canopygrid.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client sends as little as it can, to the server that has the key. */
@NullUnmarked // the servers are there while a test runs
final class RoundTripsTest {
  private final AtomicReference<FakeServer> owner = new AtomicReference<>();
  private final AtomicBoolean moved = new AtomicBoolean();
  private final AtomicBoolean failing = new AtomicBoolean();
  private FakeServer one;
  private FakeServer two;

  @BeforeEach
  void start() throws IOException {
    one = new FakeServer(this::answer);
    two = new FakeServer(this::answer);
    owner.set(two);
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  private @Nullable Reply answer(Request request) {
    if (request instanceof Request.AskRoutes) {
      return Fakes.allAt(owner.get(), owner.get() == two ? 1 : 2);
    }
    Reply.Seen seen = new Reply.Seen(moved.get(), Fakes.clock(1, 1));
    if (request instanceof Request.Get && failing.get()) {
      return Reply.Failure.of(new CanopyException(ErrorCode.SHARD_UNAVAILABLE, "as told"));
    }
    if (request instanceof Request.Get) {
      return new Reply.Value(seen, Codec.int64().encode(5L));
    }
    return request instanceof Request.Commit ? new Reply.Done(seen) : null;
  }

  @Test
  void aLookUpIsOneRequestToTheOwner() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      TransactionStats before = db.stats().total();
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L))).isEqualTo(5L);
      TransactionStats after = db.stats().total();
      assertThat(after.remoteRequests() - before.remoteRequests()).isEqualTo(1);
      assertThat(after.redirects()).isZero();
      assertThat(db.stats().byIndex().get("a").remoteRequests()).isEqualTo(1);
    }
    assertThat(one.received()).isEmpty();
    assertThat(two.received().get(0)).isInstanceOf(Request.Get.class);
    assertThat(two.received().stream().filter(RoundTripsTest::isAnswered)).hasSize(1);
  }

  @Test
  void theEndOfAReaderComesBeforeTheNextRequest() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      for (int i = 0; i < 3; i++) {
        db.read(tx -> tx.on(index).get(1L));
      }
    }
    assertThat(two.received())
        .extracting(Object::getClass)
        .startsWith(
            Request.Get.class,
            Request.End.class,
            Request.Get.class,
            Request.End.class,
            Request.Get.class);
  }

  @Test
  void theEndOfAReaderComesAlsoWhereNothingFollows() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.read(tx -> tx.on(index).get(1L));
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (two.received().size() < 2) {
        assertThat(System.nanoTime()).isLessThan(deadlineNanos);
        LockSupport.parkNanos(1_000_000);
      }
    }
    assertThat(two.received().get(1)).isInstanceOf(Request.End.class);
  }

  @Test
  void aBlindPutIsOneRequestToTheOwner() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(index).put(1L, 1L));
      assertThat(db.stats().total().remoteRequests()).isEqualTo(1);
    }
    assertThat(one.received()).isEmpty();
    assertThat(two.received()).hasSize(1).first().isInstanceOf(Request.Commit.class);
    assertThat(((Request.Commit) two.received().get(0)).commit().shard())
        .as("that of the key")
        .isEqualTo(4);
  }

  @Test
  void ownWritesAndWhatDoesNothingCostNoRequest() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> {});
      db.read(tx -> null);
      db.run(tx -> {
        tx.on(index).put(1L, 7L);
        assertThat(tx.on(index).get(1L)).isEqualTo(7L);
        tx.on(index).remove(1L);
        assertThat(tx.on(index).get(1L)).isNull();
      });
      assertThat(db.stats().total().remoteRequests()).isEqualTo(1);
    }
  }

  @Test
  void aStaleMapCostsOneHopAndIsAskedForAgain() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      owner.set(one);
      moved.set(true);
      db.read(tx -> tx.on(index).get(1L));
      assertThat(db.stats().total().redirects()).isEqualTo(1);
      moved.set(false);
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (one.received().isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadlineNanos);
        db.read(tx -> tx.on(index).get(1L));
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(db.stats().total().redirects()).isEqualTo(1);
    }
  }

  @Test
  void aServerThatIsGoneIsLeftForAnotherOneWithoutTheBodyKnowing() throws IOException {
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.read(tx -> tx.on(index).get(1L));
      two.close();
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L))).isEqualTo(5L);
      db.run(tx -> tx.on(index).put(1L, 1L));
      assertThat(db.stats().total().aborts()).isEmpty();
    }
    assertThat(one.received()).isNotEmpty();
  }

  @Test
  void writesOutliveARequestThatFailed() {
    failing.set(true);
    try (Canopy db = RemoteCanopy.connect("canopy://" + one.address())) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> {
        tx.on(index).put(1L, 1L);
        CanopyException e = catchThrowableOfType(CanopyException.class, () -> tx.on(index).get(2L));
        assertThat(e.code()).isEqualTo(ErrorCode.SHARD_UNAVAILABLE);
      });
    }
    Request.Commit commit =
        two.received().stream()
            .filter(Request.Commit.class::isInstance)
            .map(Request.Commit.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(commit.step().begin()).as("the first one was in vain").isNotNull();
    assertThat(commit.step().writes()).hasSize(1);
  }

  @Test
  void whoCannotBeReachedIsNamedWithTheReason() throws IOException {
    int closed;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = taken.getLocalPort();
    }
    CanopyException e =
        catchThrowableOfType(
            CanopyException.class,
            () -> RemoteCanopy.connect("canopy://127.0.0.1:" + closed + ",no.such.host.invalid"));
    assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
    assertThat(e.detail())
        .contains("127.0.0.1:" + closed)
        .contains("refused")
        .contains("no.such.host.invalid:11444");
  }

  @Test
  void whatIsNoServerIsSaidToBeNone() throws IOException {
    try (ServerSocket odd = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread =
          new Thread(() -> {
            try (var socket = odd.accept()) {
              socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
              socket.getInputStream().read();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      thread.setDaemon(true);
      thread.start();
      CanopyException e =
          catchThrowableOfType(
              CanopyException.class,
              () -> RemoteCanopy.connect("canopy://127.0.0.1:" + odd.getLocalPort()));
      assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }
  }

  @Test
  void noInfinispanIsOnTheClassPath() {
    assertThat(System.getProperty("java.class.path"))
        .contains("netty")
        .doesNotContain("infinispan")
        .doesNotContain("jgroups");
  }

  private static boolean isAnswered(ClientMessage message) {
    return !(message instanceof Request.End);
  }
}
