package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.TransactionFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Functions run where their place is, cost one request, and take effect once. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class FunctionsTest {
  private static final int KEYS = 200;
  private static final int NODES = 3;

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Index<Long, Long> index = open(db);

  /** The nodes that have run "where", in order. */
  private final List<Integer> ranAt = new ArrayList<>();

  private static Index<Long, Long> open(EmbeddedCanopy handle) {
    return handle.index(
        "numbers", Codec.int64(), Codec.int64(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(16));
  }

  @BeforeEach
  void load() {
    for (long key = 0; key < KEYS; key++) {
      long k = key;
      db.run(tx -> tx.on(index).put(k, 0L));
    }
    grid.awaitQuiet();
    for (int i = 0; i < NODES; i++) {
      int node = i;
      grid.handle(i)
          .register(
              "where",
              (tx, arguments) -> {
                synchronized (ranAt) {
                  ranAt.add(node);
                }
                tx.place().put(Codec.int64().encode(7L));
                return arguments;
              });
    }
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private long get(long key) {
    return db.<Long, RuntimeException>read(tx -> tx.on(index).get(key));
  }

  private long requestsOfNodes() {
    long sum = 0;
    for (int i = 0; i < NODES; i++) {
      sum += grid.node(i).counters().remoteRequests();
    }
    return sum;
  }

  @Test
  void runsAtTheNodeThatHasThePlace() {
    for (int i = 0; i < NODES; i++) {
      long key = grid.keyAt(i, index, 0);
      byte[] result = db.execute(FunctionCall.of("where", new byte[] {9}).at(index, key));
      assertThat(result).containsExactly(9);
      assertThat(get(key)).isEqualTo(7);
    }
    assertThat(ranAt).containsExactly(0, 1, 2);
  }

  @Test
  void aReadModifyWriteOfEachKeyCostsAtMostOneRequest() {
    for (int i = 0; i < NODES; i++) { // each node learns the index's number
      db.execute(Functions.add(index, grid.keyAt(i, index, 0), 0));
    }
    long before = db.stats().total().remoteRequests();
    long atNodes = requestsOfNodes();
    int elsewhere = 0;
    for (long key = 0; key < KEYS; key++) {
      assertThat(db.execute(Functions.add(index, key, key), Codec.int64())).isEqualTo(key);
      elsewhere += grid.primaryOf(index, key) == 0 ? 0 : 1;
    }
    assertThat(elsewhere).isGreaterThan(KEYS / NODES);
    assertThat(db.stats().total().remoteRequests() - before)
        .as("one call for each key that is at another node, none for the others")
        .isEqualTo(elsewhere);
    assertThat(requestsOfNodes() - atNodes)
        .as("reads, prepares and decisions to primaries at other nodes")
        .isZero();
  }

  @Test
  void callsAtTheSameKeyFromAllNodesAreAllCounted() {
    long key = grid.keyAt(1, index, 0);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      EmbeddedCanopy handle = grid.handle(i);
      Index<Long, Long> own = open(handle);
      for (int n = 0; n < 20; n++) {
        all.add(
            handle
                .executeAsync(Functions.add(own, key, 1))
                .thenAccept(sum -> assertThat(sum).hasSize(8))
                .toCompletableFuture());
      }
    }
    all.forEach(CompletableFuture::join);
    assertThat(get(key)).isEqualTo(60);
  }

  @Test
  void whereANodeIsLostBeforeItHasRunTheCallItIsRunOnce() {
    long key = grid.keyAt(1, index, 0);
    grid.loseCallsOf(1);
    assertThat(db.execute(Functions.add(index, key, 5), Codec.int64())).isEqualTo(5);
    assertThat(get(key)).isEqualTo(5);
  }

  @Test
  void whereTheAnswerIsLostTheResultIsThatOfTheCommit() throws Exception {
    long key = grid.keyAt(1, index, 0);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    TransactionFunction slow =
        TransactionFunction.of(
            Codec.int64(),
            Codec.string(),
            (tx, n) -> {
              Index<Long, Long> own = tx.index("numbers", Codec.int64(), Codec.int64());
              long now = tx.on(own).get(key) + n;
              tx.on(own).put(key, now);
              String result = "run " + runs.incrementAndGet() + " made " + now;
              inside.countDown();
              goOn.await();
              return result;
            });
    for (int i = 0; i < NODES; i++) {
      grid.handle(i).register("slow", slow);
    }
    CompletableFuture<byte[]> call =
        db.executeAsync(FunctionCall.of("slow", Codec.int64(), 3L).at(index, key))
            .toCompletableFuture();
    inside.await();
    grid.loseCallsOf(1); // the question was heard; whether it takes effect is open now
    goOn.countDown();
    String result = Codec.string().decode(call.join());
    assertThat(get(key)).as("once, whichever run it was: %s", result).isEqualTo(3);
    assertThat(result).isEqualTo("run " + runs + " made 3");
  }

  @Test
  void errorsOfTheOtherNodeHaveTheirCodes() {
    long key = grid.keyAt(2, index, 0);
    refused(ErrorCode.UNKNOWN_FUNCTION, FunctionCall.of("no-such", new byte[0]).at(index, key));
    refused(ErrorCode.UNKNOWN_FUNCTION, FunctionCall.of("no-such", new byte[0]));
    grid.handle(2)
        .register(
            "fails",
            (tx, arguments) -> {
              tx.place().put(new byte[8]);
              throw new IllegalStateException("as it should");
            });
    CanopyException e =
        refused(ErrorCode.FUNCTION_FAILED, FunctionCall.of("fails", new byte[0]).at(index, key));
    assertThat(e).hasMessageContaining("as it should");
    refused(ErrorCode.INVALID_ARGUMENT, Functions.add(index, key, Long.MAX_VALUE), 2);
    assertThat(get(key)).isEqualTo(Long.MAX_VALUE);
  }

  private CanopyException refused(ErrorCode code, FunctionCall call) {
    return refused(code, call, 1);
  }

  /** The last of some calls is refused. */
  private CanopyException refused(ErrorCode code, FunctionCall call, int times) {
    AtomicReference<byte[]> result = new AtomicReference<>();
    for (int i = 1; i < times; i++) {
      result.set(db.execute(call));
    }
    CanopyException e =
        catchThrowableOfType(CanopyException.class, () -> result.set(db.execute(call)));
    assertThat(e).as("wanted %s, result %s", code, result).isNotNull();
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    return e;
  }
}
