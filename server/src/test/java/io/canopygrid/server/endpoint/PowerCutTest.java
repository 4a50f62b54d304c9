package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TableReport;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.gmu.memory.InMemoryStorage;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that outlive a power cut, which took some of what they had been told. */
@NullUnmarked // fields are set before each test
final class PowerCutTest {
  private static final TransactionOptions DEFAULTS = TransactionOptions.DEFAULTS;

  private final PowerCutNode node = new PowerCutNode();
  private TestServer server;
  private Canopy db;
  private Canopy other;
  private Index<Long, Long> n;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.of(node.start(), FreePort.pick());
    db = connect();
    n = longs(db, "n");
    db.run(tx -> tx.on(n).put(1L, 1L));
    other = connect();
  }

  @AfterEach
  void stop() {
    db.close();
    other.close();
    server.close();
  }

  private Canopy connect() {
    return RemoteCanopy.connect("canopy://" + server.address());
  }

  private static Index<Long, Long> longs(Canopy db, String name) {
    return db.index(name, Codec.int64(), Codec.int64());
  }

  private static @Nullable Long get(Canopy db, Index<Long, Long> index, long key) {
    return db.<@Nullable Long, RuntimeException>read(tx -> tx.on(index).get(key));
  }

  /** All that is committed from now on is taken by the next power cut. */
  private InMemoryStorage forced() {
    return node.forced(db.token().clock());
  }

  private void cutPower(InMemoryStorage forced) {
    int port = server.port();
    server.close();
    server = TestServer.of(node.startWith(forced), port);
  }

  private static void told(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> {
          assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
          assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
          assertThat(e.retryable()).isFalse();
        });
  }

  @Test
  void aSessionIsToldOnceAndGoesOn() {
    Index<Long, Long> same = longs(other, "n");
    assertThat(get(other, same, 1)).isEqualTo(1);
    InMemoryStorage forced = forced();
    db.run(tx -> tx.on(n).put(2L, 2L));
    cutPower(forced);
    assertThat(get(other, same, 2)).as("who has seen nothing of it is told nothing").isNull();
    told(ErrorCode.COMMITS_LOST, () -> db.run(tx -> tx.on(n).put(3L, 3L)));
    assertThat(get(db, n, 2)).isNull();
    assertThat(get(db, n, 1)).isEqualTo(1);
    db.run(tx -> tx.on(n).put(3L, 3L));
    assertThat(get(other, same, 3)).isEqualTo(3);
    db.read(DEFAULTS.withAfter(db.token()), tx -> tx.on(n).count(Range.all()));
  }

  @Test
  void eachKindOfCallIsTold() {
    List<ThrowingCallable> calls =
        List.of(
            () -> get(db, n, 1),
            () -> db.run(tx -> tx.on(n).put(3L, 3L)),
            () -> {
              try (var tx = db.begin()) {
                tx.on(n).count(Range.all());
              }
            },
            () -> db.map(n).get(1L),
            () -> db.execute(Functions.add(n, 1L, 1L)));
    for (int i = 0; i < calls.size(); i++) {
      InMemoryStorage forced = forced();
      db.run(tx -> tx.on(n).put(2L, 2L));
      cutPower(forced);
      told(ErrorCode.COMMITS_LOST, calls.get(i));
      assertThat(get(db, n, 2)).as("after call %d", i).isNull();
    }
  }

  @Test
  void aTokenIsRefusedEachTimeAndTheSessionIsNot() {
    InMemoryStorage forced = forced();
    Index<Long, Long> same = longs(other, "n");
    other.run(tx -> tx.on(same).put(2L, 2L));
    CausalToken lost = other.token();
    cutPower(forced);
    TransactionOptions after = DEFAULTS.withAfter(lost);
    for (int i = 0; i < 3; i++) {
      told(ErrorCode.COMMITS_LOST, () -> db.read(after, tx -> tx.on(n).get(2L)));
      assertThat(get(db, n, 2)).isNull();
    }
  }

  /** The numbers that the handle has seen since would hide it. */
  @Test
  void aTokenIsRefusedThoughTheSessionIsNewer() {
    InMemoryStorage forced = forced();
    Index<Long, Long> same = longs(other, "n");
    other.run(tx -> tx.on(same).put(2L, 2L));
    TransactionOptions after = DEFAULTS.withAfter(other.token());
    cutPower(forced);
    db.run(tx -> tx.on(n).put(3L, 3L));
    List<ThrowingCallable> calls =
        List.of(
            () -> db.read(after, tx -> tx.on(n).get(2L)),
            () -> db.run(after, tx -> tx.on(n).put(3L, 4L)),
            () -> db.execute(after, Functions.add(n, 3L, 1L)));
    for (ThrowingCallable call : calls) {
      told(ErrorCode.COMMITS_LOST, call);
      assertThat(get(db, n, 3)).isEqualTo(3);
    }
    TransactionOptions own = DEFAULTS.withAfter(db.token());
    assertThat(db.<@Nullable Long, RuntimeException>read(own, tx -> tx.on(n).get(3L))).isEqualTo(3);
    db.execute(own, Functions.add(n, 3L, 1L));
    assertThat(get(db, n, 3)).isEqualTo(4);
  }

  @Test
  void aTokenOfAnotherTransactionOnTheConnectionIsNotHeldAgainstOne() {
    InMemoryStorage forced = forced();
    Index<Long, Long> same = longs(other, "n");
    other.run(tx -> tx.on(same).put(2L, 2L));
    TransactionOptions after = DEFAULTS.withAfter(other.token());
    cutPower(forced);
    for (int i = 0; i < 50; i++) {
      var refused = db.readAsync(after, tx -> tx.on(n).get(2L)).toCompletableFuture();
      var read = db.readAsync(DEFAULTS, tx -> tx.on(n).get(1L)).toCompletableFuture();
      assertThat(read.join()).isEqualTo(1);
      assertThat(refused.handle((v, e) -> e).join()).hasMessageContaining("COMMITS_LOST");
    }
  }

  @Test
  void anIndexThatIsLostIsNeverTakenForAnotherOne() {
    InMemoryStorage forced = forced();
    Index<Long, Long> lost = longs(db, "lost");
    db.run(tx -> tx.on(lost).put(1L, 1L));
    Index<Long, Long> known = longs(other, "lost");
    int number = SimulatedHandle.numberOf(server.node(), longs(server.node(), "lost"));
    cutPower(forced);
    Index<Long, Long> next = longs(other, "next");
    other.run(tx -> tx.on(next).put(5L, 5L));
    assertThat(SimulatedHandle.numberOf(server.node(), longs(server.node(), "next")))
        .isGreaterThan(number);
    told(ErrorCode.UNKNOWN_INDEX, () -> other.run(tx -> tx.on(known).put(6L, 6L)));
    told(ErrorCode.COMMITS_LOST, () -> db.run(tx -> tx.on(lost).put(6L, 6L)));
    told(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(lost).put(6L, 6L)));
    assertThat(other.<Long, RuntimeException>read(tx -> tx.on(next).count(Range.all()))).isOne();
    Index<Long, Long> again = longs(db, "lost");
    db.run(tx -> tx.on(again).put(7L, 7L));
    assertThat(get(db, again, 1)).isNull();
  }

  private static IndexDefinition<String, String> by(String name, int at) {
    return IndexDefinition.of(name, Codec.string(), row -> row.substring(at, at + 1));
  }

  @Test
  void anIndexOfATableThatIsLostIsNotTakenForTheNextOneOfItsNumber() {
    IndexDefinition<String, String> first = by("first", 0);
    IndexDefinition<String, String> second = by("second", 1);
    Table<Long, String> rows = other.table("rows", Codec.int64(), Codec.string(), List.of());
    other.run(tx -> tx.on(rows).put(1L, "ab"));
    InMemoryStorage forced = node.forced(other.token().clock());
    rows.createIndex(first);
    other.run(tx -> tx.on(rows).put(2L, "cd"));
    cutPower(forced);
    told(ErrorCode.COMMITS_LOST, () -> other.run(tx -> tx.on(rows).put(3L, "ef")));
    told(ErrorCode.UNKNOWN_INDEX, () -> rows.createIndex(second)); // it has heard of it now
    rows.createIndex(second);
    other.run(tx -> tx.on(rows).put(3L, "ef"));
    TableReport report = rows.check();
    assertThat(report.isFull()).isTrue();
    assertThat(report.differences()).isEmpty();
  }
}
