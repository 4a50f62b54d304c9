package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.HostedNode;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A handle that outlives a cut is told of it once, if it may have seen what the cut took. The node
 * refuses clocks as after a cut, and nothing is really taken.
 */
@NullUnmarked // fields are set before each test
final class LostCommitsTest {
  private static final TransactionOptions DEFAULTS = TransactionOptions.DEFAULTS;

  /** The numbers of the first topology are up to this one. */
  private static final long FIRST_EPOCH = 2L << 40;

  private TestGrid grid;
  private FaultyNode node;
  private EmbeddedCanopy db;
  private Index<Long, Long> n;

  @BeforeEach
  void start() {
    grid = TestGrid.standalone(8);
    node = new FaultyNode(grid.node(0));
    db = grid.faulty(node);
    n = db.index("n", Codec.int64(), Codec.int64());
    db.run(tx -> tx.on(n).put(1L, 1L));
  }

  @AfterEach
  void stop() {
    grid.close();
  }

  /** The grid is founded anew, and refuses those who have seen more than a token. */
  private void cut(CausalToken kept) {
    HostedNode host = (HostedNode) grid.node(0);
    Topology before = host.topology();
    node.cut(kept.clock(), FIRST_EPOCH);
    host.install(new Topology(2, before.members(), before.shards()));
  }

  private static void told(ThrowingCallable call) {
    CanopyException e = Errors.of(ErrorCode.COMMITS_LOST, call);
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(e.retryable()).isFalse();
  }

  private boolean has(TransactionOptions options, long key) {
    return db.<Boolean, RuntimeException>read(options, tx -> tx.on(n).containsKey(key));
  }

  @Test
  void aSessionIsToldOnceAndGoesOn() {
    lose();
    told(() -> db.run(tx -> tx.on(n).put(3L, 3L)));
    assertThat(has(DEFAULTS, 3)).isFalse();
    db.run(tx -> tx.on(n).put(3L, 3L));
    assertThat(has(DEFAULTS.withAfter(db.token()), 3)).isTrue();
  }

  @Test
  void aSessionThatHasSeenNothingOfItIsNotTold() {
    cut(db.token());
    assertThat(has(DEFAULTS, 1)).isTrue();
    db.run(tx -> tx.on(n).put(3L, 3L));
    assertThat(has(DEFAULTS, 3)).isTrue();
  }

  @Test
  void eachKindOfCallIsTold() {
    List<ThrowingCallable> calls =
        List.of(
            () -> db.read(tx -> tx.on(n).get(1L)),
            () -> db.read(DEFAULTS.withIsolation(Isolation.SERIALIZABLE), tx -> tx.on(n).get(1L)),
            () -> db.begin().close(),
            () -> db.map(n).get(1L),
            () -> db.execute(Functions.add(n, 1L, 1L)),
            () -> db.check(n, Duration.ofSeconds(10)),
            () -> {
              try (Loader<Long, Long> loader = db.loader(n)) {
                loader.add(10L, 10L);
                loader.flush();
              }
            });
    for (ThrowingCallable call : calls) {
      lose();
      told(call);
      assertThat(has(DEFAULTS, 1)).isTrue();
      stop();
      start();
    }
  }

  /** The snapshot's clock would hide what was lost in the session's. */
  @Test
  void aReadOfANamedSnapshotIsToldToo() {
    db.snapshot("before");
    lose();
    told(() -> has(DEFAULTS.at("before"), 1));
    assertThat(has(DEFAULTS.at("before"), 1)).isTrue();
    assertThat(has(DEFAULTS, 1)).isTrue();
  }

  /** The numbers that a handle has seen since would hide it. */
  @Test
  void aTokenIsToldThoughTheSessionIsNewer() {
    CausalToken kept = db.token();
    db.run(tx -> tx.on(n).put(2L, 2L));
    CausalToken lost = db.token();
    cut(kept);
    EmbeddedCanopy other = grid.faulty(node);
    Index<Long, Long> opened = other.index("n", Codec.int64(), Codec.int64());
    other.run(tx -> tx.on(opened).put(3L, 3L));
    told(() -> other.read(DEFAULTS.withAfter(lost), tx -> tx.on(opened).get(1L)));
    other.run(tx -> tx.on(opened).put(4L, 4L));
  }

  /** The node where it runs is sent the join of token and session, and here knows of no cut. */
  @Test
  void aFunctionThatRunsElsewhereIsToldBeforeItIsSent() {
    try (TestGrid two = TestGrid.network(2, 1, 8, 64)) {
      EmbeddedCanopy there = two.handle(1);
      Index<Long, Long> index = there.index("n0", Codec.int64(), Codec.int64());
      there.run(tx -> tx.on(opened(there, "n0")).put(1L, 1L));
      int number = 0;
      while (there.copies(index) == 0) {
        number++;
        String name = "n" + number;
        index = there.index(name, Codec.int64(), Codec.int64());
        there.run(tx -> tx.on(opened(there, name)).put(1L, 1L));
      }
      FaultyNode face = new FaultyNode(two.node(0));
      EmbeddedCanopy here = two.faulty(face);
      Index<Long, Long> same = opened(here, "n" + number);
      here.read(DEFAULTS.withAfter(there.token()), tx -> tx.on(same).get(1L));
      CausalToken kept = here.token();
      Index<Long, Long> own = index;
      there.run(tx -> tx.on(own).put(2L, 2L));
      CausalToken lost = there.token();
      face.cut(kept.clock(), FIRST_EPOCH);
      told(() -> here.execute(DEFAULTS.withAfter(lost), Functions.add(same, 1L, 1L)));
      here.execute(DEFAULTS.withAfter(kept), Functions.add(same, 1L, 1L));
    }
  }

  private static Index<Long, Long> opened(EmbeddedCanopy handle, String name) {
    return handle.index(name, Codec.int64(), Codec.int64());
  }

  private void lose() {
    CausalToken kept = db.token();
    db.run(tx -> tx.on(n).put(2L, 2L));
    cut(kept);
  }

  @Test
  void aTransactionFromBeforeDoesNotBringItBack() {
    Transaction open = db.begin();
    open.on(n).get(1L);
    CausalToken kept = db.token();
    db.run(tx -> tx.on(n).put(2L, 2L));
    Transaction late = db.begin();
    late.on(n).get(2L);
    cut(kept);
    told(() -> has(DEFAULTS, 1));
    late.commit();
    open.commit();
    assertThat(has(DEFAULTS, 1)).isTrue();
  }

  @Test
  void aTokenIsRefusedEachTimeAndTheSessionIsNot() {
    db.run(tx -> tx.on(n).put(2L, 2L));
    CausalToken lost = db.token();
    ResumeToken position =
        db.read(tx -> {
          try (Cursor<Long, Long> cursor = tx.on(n).scan(Range.all())) {
            cursor.iterator().next();
            return cursor.resumeToken();
          }
        });
    cut(CausalToken.of(lost.clock().above(FIRST_EPOCH)));
    told(() -> has(DEFAULTS, 1));
    for (int i = 0; i < 3; i++) {
      told(() -> has(DEFAULTS.withAfter(lost), 1));
      told(() -> has(DEFAULTS.resuming(position), 1));
      assertThat(has(DEFAULTS, 1)).isTrue();
    }
  }

  @Test
  void aLoadOfWhichAPartIsLostDoesNotGoOn() {
    Loader<Long, Long> loader = db.loader(n);
    CausalToken kept = db.token();
    loader.add(10L, 10L);
    loader.flush();
    cut(kept);
    told(() -> has(DEFAULTS, 1));
    loader.add(11L, 11L);
    told(loader::flush);
    assertThat(has(DEFAULTS, 11)).isFalse();
    loader.close();
  }

  @Test
  void theCatalogGoesOnAndTheNextTransactionIsTold() {
    CausalToken kept = db.token();
    db.index("lost", Codec.int64(), Codec.int64());
    cut(kept);
    assertThat(db.indexes()).contains("n");
    Index<Long, Long> next = db.index("next", Codec.int64(), Codec.int64());
    told(() -> db.run(tx -> tx.on(next).put(1L, 1L)));
    db.run(tx -> tx.on(next).put(1L, 1L));
  }

  @Test
  void numbersOfIndexesThatMayBeLostAreNeverGivenAgain() {
    int first = db.numberOf(n);
    cut(db.token());
    Index<Long, Long> next = db.index("next", Codec.int64(), Codec.int64());
    Index<Long, Long> last = db.index("last", Codec.int64(), Codec.int64());
    assertThat(db.numberOf(next)).isEqualTo(first + 1 + (1 << 20));
    assertThat(db.numberOf(last)).isEqualTo(first + 2 + (1 << 20));
    db.run(tx -> tx.on(last).put(1L, 1L));
    assertThat(has(DEFAULTS, 1)).isTrue();
    assertThat(db.dropIndex("last")).isTrue();
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(last).put(2L, 2L)));
  }
}
