package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of XA at one handle, and what a prepared branch does to others. */
@NullUnmarked // fields are set before each test, and bodies return null
final class XaResourceTest {
  private static final BranchId X = id(1);
  private static final BranchId Y = id(2);
  private static final TransactionOptions ONCE = TransactionOptions.DEFAULTS.withMaxAttempts(1);

  private final TestGrid grid = TestGrid.network(3, 2, 12, 64);
  private final EmbeddedCanopy db = grid.handle(0);
  private Index<Long, String> index;
  private CanopyXaResource resource;

  private static BranchId id(int number) {
    return BranchId.of(7, new byte[] {9, (byte) number}, new byte[] {(byte) number});
  }

  @BeforeEach
  void open() {
    index = open(db);
    db.run(tx -> {
      for (long key = 0; key < 40; key++) {
        tx.on(index).put(key, "old");
      }
    });
    grid.awaitQuiet();
    resource = db.xa().resource();
  }

  private static Index<Long, String> open(EmbeddedCanopy db) {
    return db.index(
        "letters", Codec.int64(), Codec.string(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(8));
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private interface Body {
    void run(Transaction tx);
  }

  private void work(Xid xid, Body body) throws XAException {
    work(resource, xid, body);
  }

  private static void work(CanopyXaResource at, Xid xid, Body body) throws XAException {
    at.start(xid, XAResource.TMNOFLAGS);
    body.run(at.transaction());
    at.end(xid, XAResource.TMSUCCESS);
  }

  /** Reads keys 1 and 30, scans 10 to 12, writes 2, 31 and 100, and is prepared. */
  private void prepare(Xid xid) throws XAException {
    work(
        xid,
        tx -> {
          tx.on(index).get(1L);
          tx.on(index).get(30L);
          tx.on(index).scan(Range.closed(10L, 12L)).forEach(entry -> {});
          tx.on(index).put(2L, "new");
          tx.on(index).remove(31L);
          tx.on(index).put(100L, "new");
        });
    assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
  }

  private String get(int node, long key) {
    EmbeddedCanopy at = grid.handle(node);
    Index<Long, String> there = open(at);
    return at.<String, RuntimeException>read(tx -> tx.on(there).get(key));
  }

  private void refused(int code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            XAException.class, e -> assertThat(e.errorCode).as("%s", e).isEqualTo(code));
  }

  private void assertBefore() {
    for (int node = 0; node < grid.size(); node++) {
      assertThat(get(node, 2)).isEqualTo("old");
      assertThat(get(node, 31)).isEqualTo("old");
      assertThat(get(node, 100)).isNull();
    }
  }

  private void assertAfter() {
    for (int node = 0; node < grid.size(); node++) {
      assertThat(get(node, 2)).isEqualTo("new");
      assertThat(get(node, 31)).isNull();
      assertThat(get(node, 100)).isEqualTo("new");
    }
  }

  /** Every key can be written again, and nothing is left of any branch. */
  private void assertFree() {
    assertThat(db.xa().prepared()).isEmpty();
    db.run(
        ONCE,
        tx -> {
          for (long key = 0; key < 110; key++) {
            tx.on(index).put(key, "free");
          }
        });
    db.check(index, Duration.ofSeconds(10));
  }

  @Test
  void aPreparedBranchCommits() throws XAException {
    prepare(X);
    assertBefore();
    resource.commit(X, false);
    assertAfter();
    refused(XAException.XAER_NOTA, () -> resource.commit(X, false));
    refused(XAException.XAER_NOTA, () -> resource.rollback(X));
    assertFree();
  }

  @Test
  void aPreparedBranchRollsBack() throws XAException {
    prepare(X);
    resource.rollback(X);
    assertBefore();
    refused(XAException.XAER_NOTA, () -> resource.commit(X, false));
    assertFree();
  }

  @Test
  void anyNodeEndsIt() throws XAException {
    prepare(X);
    CanopyXaResource other = grid.handle(2).xa().resource();
    assertThat(other.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)).containsExactly(X);
    assertThat(other.recover(XAResource.TMNOFLAGS)).isEmpty();
    other.commit(X, false);
    assertAfter();
    assertFree();
  }

  @Test
  void aBranchOfOnePhaseCommitsAtOnce() throws XAException {
    work(X, tx -> tx.on(index).put(2L, "new"));
    resource.commit(X, true);
    assertThat(get(1, 2)).isEqualTo("new");
    assertFree();
  }

  @Test
  void aBranchThatOnlyReadsNeedsNoDecision() throws XAException {
    work(X, tx -> tx.on(index).get(2L));
    assertThat(resource.prepare(X)).isEqualTo(XAResource.XA_RDONLY);
    refused(XAException.XAER_NOTA, () -> resource.commit(X, false));
    work(Y, tx -> tx.on(index).get(2L));
    db.run(tx -> tx.on(index).put(2L, "newer"));
    refused(XAException.XA_RBTRANSIENT, () -> resource.prepare(Y));
    assertFree();
  }

  @Test
  void aConflictIsFoundAtThePreparation() throws XAException {
    work(
        X,
        tx -> {
          tx.on(index).get(1L);
          tx.on(index).put(2L, "new");
        });
    db.run(tx -> tx.on(index).put(1L, "newer"));
    refused(XAException.XA_RBTRANSIENT, () -> resource.prepare(X));
    refused(XAException.XAER_NOTA, () -> resource.rollback(X));
    assertBefore();
    assertFree();
  }

  @Test
  void whatIsHeldIsNotWritten() throws XAException {
    prepare(X);
    for (long held : new long[] {1, 2, 10, 11, 12, 30, 31, 100}) {
      CanopyException e =
          Errors.of(
              ErrorCode.RETRIES_EXHAUSTED,
              () -> grid.handle(1).run(ONCE, tx -> tx.on(open(grid.handle(1))).put(held, "x")));
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              CanopyException.class,
              why -> {
                assertThat(why.code()).isEqualTo(ErrorCode.LOCK_TIMEOUT);
                assertThat(why.facts()).containsEntry("other", X.toString());
              });
    }
    for (long free : new long[] {0, 3, 9, 13, 29, 32, 99, 101}) {
      db.run(ONCE, tx -> tx.on(index).put(free, "x"));
    }
    resource.commit(X, false);
    assertAfter();
    assertFree();
  }

  @Test
  void twoBranchesMayReadTheSame() throws XAException {
    prepare(X);
    CanopyXaResource other = grid.handle(1).xa().resource();
    Index<Long, String> there = open(grid.handle(1));
    work(
        other,
        Y,
        tx -> {
          tx.on(there).get(1L);
          tx.on(there).get(11L);
          tx.on(there).put(20L, "new");
        });
    assertThat(other.prepare(Y)).isEqualTo(XAResource.XA_OK);
    work(
        other,
        id(3),
        tx -> {
          tx.on(there).get(2L);
          tx.on(there).put(21L, "new");
        });
    refused(XAException.XA_RBTRANSIENT, () -> other.prepare(id(3)));
    assertThat(db.xa().prepared()).extracting(PreparedTransaction::id).containsExactly(X, Y);
    resource.commit(Y, false);
    resource.commit(X, false);
    assertAfter();
    assertThat(get(2, 20)).isEqualTo("new");
    assertFree();
  }

  @Test
  void subtreesCarryWhatIsHeld() throws Exception {
    prepare(X);
    for (long key = 0; key < 110; key += 5) {
      db.reshaping().split(grid.subtreeOf(0, index, key));
    }
    grid.awaitQuiet();
    Errors.of(ErrorCode.RETRIES_EXHAUSTED, () -> db.run(ONCE, tx -> tx.on(index).put(11L, "x")));
    db.check(index, Duration.ofSeconds(10));
    resource.commit(X, false);
    assertAfter();
    assertFree();
  }

  @Test
  void anIndexThatIsHeldIsNotDropped() throws XAException {
    prepare(X);
    Errors.of(ErrorCode.LOCK_TIMEOUT, () -> db.dropIndex("letters"));
    resource.rollback(X);
    assertThat(db.dropIndex("letters")).isTrue();
  }

  @Test
  void anIndexThatIsDroppedCannotBePrepared() throws XAException {
    work(X, tx -> tx.on(index).put(2L, "new"));
    db.dropIndex("letters");
    refused(XAException.XA_RBOTHER, () -> resource.prepare(X));
  }

  @Test
  void aDecisionByHandIsToldAndForgotten() throws XAException {
    prepare(X);
    assertThat(db.xa().resolve(X, true)).isTrue();
    assertThat(db.xa().resolve(X, false)).isFalse();
    assertAfter();
    assertThat(db.xa().prepared())
        .extracting(PreparedTransaction::state)
        .containsExactly(PreparedTransaction.State.COMMITTED_BY_HAND);
    assertThat(resource.recover(XAResource.TMSTARTRSCAN)).containsExactly(X);
    refused(XAException.XA_HEURCOM, () -> resource.commit(X, false));
    refused(XAException.XA_HEURCOM, () -> resource.rollback(X));
    resource.forget(X);
    refused(XAException.XAER_NOTA, () -> resource.forget(X));
    assertFree();
  }

  @Test
  void aListSaysWhatIsHeld() throws XAException {
    resource = db.xa().resource(TransactionOptions.DEFAULTS.withLabel("transfer"));
    prepare(X);
    PreparedTransaction one = grid.handle(1).xa().prepared().get(0);
    assertThat(one.id()).isEqualTo(X).hasToString("7:0901:01");
    assertThat(one.label()).isEqualTo("transfer");
    assertThat(one.indexes()).isEqualTo(List.of("letters"));
    assertThat(one.writes()).isEqualTo(3);
    assertThat(BranchId.parse(one.id().toString())).isEqualTo(X);
    resource.rollback(X);
  }

  @Test
  void manyKeysAreHeldByFewLocks() throws XAException {
    work(
        X,
        tx -> {
          for (long key = 0; key < 4_000; key += 3) {
            tx.on(index).put(key, "many");
          }
        });
    assertThat(resource.prepare(X)).isEqualTo(XAResource.XA_OK);
    resource.commit(X, false);
    grid.awaitQuiet();
    assertThat(get(1, 3_999)).isEqualTo("many");
    long count = db.<Long, RuntimeException>read(tx -> tx.on(index).count(Range.atLeast(50L)));
    assertThat(count).isEqualTo(4_000 / 3 + 1 - 17);
    assertFree();
  }

  @Test
  void callsOutOfOrderAreRefused() throws XAException {
    refused(XAException.XAER_NOTA, () -> resource.end(X, XAResource.TMSUCCESS));
    refused(XAException.XAER_NOTA, () -> resource.prepare(X));
    refused(XAException.XAER_NOTA, () -> resource.start(X, XAResource.TMJOIN));
    refused(XAException.XAER_NOTA, () -> resource.rollback(X));
    refused(XAException.XAER_INVAL, () -> resource.start(X, 3));
    Errors.of(ErrorCode.TRANSACTION_CLOSED, () -> resource.transaction());
    resource.start(X, XAResource.TMNOFLAGS);
    refused(XAException.XAER_PROTO, () -> resource.start(Y, XAResource.TMNOFLAGS));
    refused(XAException.XAER_PROTO, () -> resource.prepare(X));
    Errors.of(ErrorCode.INVALID_ARGUMENT, () -> resource.transaction().commit());
    CanopyXaResource second = db.xa().resource();
    assertThat(second.isSameRM(resource)).isTrue();
    assertThat(grid.handle(1).xa().resource().isSameRM(resource)).isFalse();
    refused(XAException.XAER_DUPID, () -> second.start(X, XAResource.TMNOFLAGS));
    second.start(X, XAResource.TMJOIN);
    second.transaction().on(index).put(2L, "new");
    resource.end(X, XAResource.TMSUSPEND);
    refused(XAException.XAER_PROTO, () -> second.prepare(X));
    resource.start(X, XAResource.TMRESUME);
    assertThat(resource.transaction().on(index).get(2L)).isEqualTo("new");
    resource.end(X, XAResource.TMSUCCESS);
    second.end(X, XAResource.TMSUCCESS);
    refused(XAException.XAER_PROTO, () -> second.commit(X, false));
    assertThat(second.prepare(X)).isEqualTo(XAResource.XA_OK);
    resource.rollback(X);
    assertFree();
  }

  @Test
  void aBranchThatHasFailedIsRolledBack() throws XAException {
    resource.start(X, XAResource.TMNOFLAGS);
    resource.transaction().on(index).put(2L, "new");
    resource.end(X, XAResource.TMFAIL);
    refused(XAException.XA_RBROLLBACK, () -> resource.prepare(X));
    refused(XAException.XAER_NOTA, () -> resource.rollback(X));
    assertBefore();
    assertFree();
  }

  @Test
  void rowsOfTablesAreReadAndNotWritten() throws XAException {
    Table<Long, String> table =
        db.table(
            "rows",
            Codec.int64(),
            Codec.string(),
            List.of(IndexDefinition.of("text", Codec.string(), row -> row)));
    db.run(tx -> tx.on(table).put(1L, "a"));
    work(X, tx -> tx.on(table).put(2L, "b"));
    refused(XAException.XA_RBOTHER, () -> resource.prepare(X));
    work(
        Y,
        tx -> {
          tx.on(table).get(1L);
          tx.on(index).put(2L, "new");
        });
    assertThat(resource.prepare(Y)).isEqualTo(XAResource.XA_OK);
    Errors.of(ErrorCode.RETRIES_EXHAUSTED, () -> db.run(ONCE, tx -> tx.on(table).put(1L, "c")));
    resource.commit(Y, false);
    db.run(tx -> tx.on(table).put(1L, "c"));
    assertThat(get(0, 2)).isEqualTo("new");
  }

  private void splitBetween(long low, long high) {
    try {
      for (long key = low; key < high; key += 3) {
        db.reshaping().split(grid.subtreeOf(0, index, key));
      }
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** A scan is carried to the subtrees that have its keys by now, also where one is held. */
  @Test
  void whoOnlyReadsWhatIsHeldCommitsAcrossASplit() throws XAException {
    prepare(X);
    EmbeddedCanopy other = grid.handle(1);
    Index<Long, String> there = open(other);
    boolean[] split = {false};
    other.run(
        ONCE,
        tx -> {
          tx.on(there).scan(Range.closed(1L, 13L)).forEach(entry -> {});
          tx.on(there).put(50L, "other");
          if (!split[0]) {
            split[0] = true;
            splitBetween(1, 14);
          }
        });
    assertThat(get(0, 50)).isEqualTo("other");
    resource.rollback(X);
    db.run(tx -> tx.on(index).remove(50L));
    assertBefore();
    assertFree();
  }

  @Test
  void aTimeoutThatCannotBeHadIsNotTaken() throws XAException {
    assertThat(resource.setTransactionTimeout(3_600)).isTrue();
    assertThat(resource.getTransactionTimeout()).isEqualTo(3_600);
    assertThat(resource.setTransactionTimeout(3_601)).isFalse();
    assertThat(resource.getTransactionTimeout()).isEqualTo(3_600);
    refused(XAException.XAER_INVAL, () -> resource.setTransactionTimeout(-1));
    work(X, tx -> tx.on(index).put(2L, "new"));
    resource.rollback(X);
    assertBefore();
  }

  @Test
  void whoDoesNotWorkInABranchDoesNotFailIt() throws XAException {
    resource.start(X, XAResource.TMNOFLAGS);
    resource.transaction().on(index).put(2L, "new");
    CanopyXaResource second = db.xa().resource();
    refused(XAException.XAER_PROTO, () -> second.end(X, XAResource.TMFAIL));
    resource.end(X, XAResource.TMSUCCESS);
    assertThat(resource.prepare(X)).isEqualTo(XAResource.XA_OK);
    resource.commit(X, false);
    assertThat(get(0, 2)).isEqualTo("new");
  }
}
