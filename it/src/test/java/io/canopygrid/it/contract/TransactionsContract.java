package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Running, ending, nesting and using transactions. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class TransactionsContract extends Theme {
  TransactionsContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void runCommitsCallReturnsReadReads() {
    db.run(tx -> tx.on(index).put("a", "1"));
    assertThat(db.<String, RuntimeException>call(tx -> tx.on(index).get("a"))).isEqualTo("1");
    assertThat(db.<String, RuntimeException>read(tx -> tx.on(index).get("a"))).isEqualTo("1");
    TransactionOptions options = TransactionOptions.labelled("contract");
    db.run(options, tx -> tx.on(index).put("a", "2"));
    assertThat(db.<String, RuntimeException>call(options, tx -> tx.on(index).get("a")))
        .isEqualTo("2");
    assertThat(db.<String, RuntimeException>read(options, tx -> tx.on(index).get("a")))
        .isEqualTo("2");
  }

  @Test
  void aCallersExceptionRollsBackAndPassesAsItIsWithoutAnotherAttempt() {
    AtomicInteger runs = new AtomicInteger();
    IOException mine = new IOException("mine");
    assertThatThrownBy(() ->
            db.run(tx -> {
              runs.incrementAndGet();
              tx.on(index).put("a", "1");
              throw mine;
            }))
        .isSameAs(mine);
    assertThat(runs).hasValue(1);
    assertThat(get("a")).isNull();
  }

  @Test
  void transactionsHaveNames() {
    List<String> ids = new ArrayList<>();
    db.run(tx -> ids.add(tx.id()));
    db.read(tx -> ids.add(tx.id()));
    try (Transaction tx = db.begin()) {
      ids.add(tx.id());
      assertThat(tx.id()).isEqualTo(ids.get(2));
    }
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> !id.isEmpty());
  }

  @Test
  void ownWritesAreSeenAtOnceAndByNobodyElseBeforeTheCommit() {
    write(v -> v.put("a", "1"));
    try (Transaction tx = db.begin()) {
      MutableView<String, String> view = tx.on(index);
      view.put("a", "2");
      view.put("b", "3");
      view.remove("zz");
      assertThat(view.get("a")).isEqualTo("2");
      assertThat(view.containsKey("b")).isTrue();
      assertThat(tx.on(index).get("b")).isEqualTo("3");
      assertThat(keys(view.scan())).containsExactly("a", "b");
      assertThat(get("b")).isNull();
      assertThat(getThere("b")).isNull();
      view.remove("a");
      assertThat(view.get("a")).isNull();
      assertThat(view.count()).isEqualTo(1);
      tx.commit();
    }
    assertThat(get("a")).isNull();
    assertThat(getThere("b")).isEqualTo("3");
  }

  @Test
  void rolledBackTransactionsLeaveNothing() {
    Transaction tx = db.begin(TransactionOptions.labelled("rolled back"));
    tx.on(index).put("a", "1");
    assertThat(tx.on(index).get("a")).isEqualTo("1");
    tx.rollback();
    tx.rollback();
    tx.close();
    CanopyException e = refused(ErrorCode.TRANSACTION_CLOSED, tx::commit);
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(get("a")).isNull();
  }

  @Test
  void severalTransactionsOfOneThreadAreApart() {
    try (Transaction one = db.begin();
        Transaction two = db.begin()) {
      one.on(index).put("a", "1");
      two.on(index).put("b", "2");
      assertThat(one.on(index).get("b")).isNull();
      one.commit();
      two.commit();
    }
    assertThat(all()).hasSize(2);
  }

  @Test
  void nestedTransactionsAreRefusedAtOnce() {
    db.run(tx -> {
      refused(ErrorCode.NESTED_TRANSACTION, () -> db.run(inner -> {}));
      refused(ErrorCode.NESTED_TRANSACTION, () -> db.read(inner -> null));
      refused(ErrorCode.NESTED_TRANSACTION, db::begin);
      tx.on(index).put("a", "1");
    });
    assertThat(get("a")).isNotNull();
    db.read(tx -> {
      refused(ErrorCode.NESTED_TRANSACTION, () -> db.call(inner -> 1));
      return null;
    });
  }

  @Test
  void aBodysTransactionIsEndedByTheHandleAlone() {
    db.run(tx -> {
      refused(ErrorCode.INVALID_ARGUMENT, tx::commit);
      refused(ErrorCode.INVALID_ARGUMENT, tx::rollback);
      refused(ErrorCode.INVALID_ARGUMENT, tx::close);
      tx.on(index).put("a", "1");
    });
    assertThat(get("a")).isNotNull();
  }

  @Test
  void viewsAndCursorsDieWithTheirTransaction() {
    overwrite("a", "1");
    List<Transaction> ended = new ArrayList<>();
    List<MutableView<String, String>> views = new ArrayList<>();
    List<Cursor<String, String>> cursors = new ArrayList<>();
    db.run(tx -> {
      ended.add(tx);
      views.add(tx.on(index));
      cursors.add(tx.on(index).scan());
      tx.on(index).put("b", "1");
    });
    MutableView<String, String> view = views.get(0);
    CanopyException e = refused(ErrorCode.TRANSACTION_CLOSED, () -> view.get("a"));
    assertThat(e.commitState()).as("as it ended").isEqualTo(CommitState.COMMITTED);
    refused(ErrorCode.TRANSACTION_CLOSED, () -> view.put("a", "1"));
    refused(ErrorCode.TRANSACTION_CLOSED, view::firstEntry);
    refused(ErrorCode.TRANSACTION_CLOSED, view::count);
    refused(ErrorCode.TRANSACTION_CLOSED, view::scan);
    refused(ErrorCode.TRANSACTION_CLOSED, () -> cursors.get(0).iterator());
    refused(ErrorCode.TRANSACTION_CLOSED, () -> ended.get(0).on(index));
    List<ReadView<String, String>> reads = new ArrayList<>();
    db.read(tx -> reads.add(tx.on(index)));
    refused(ErrorCode.TRANSACTION_CLOSED, () -> reads.get(0).get("a"));
  }

  @Test
  void argumentsThatAreNullAreRefusedAtOnce() {
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.run(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.call(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.read(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.run(null, tx -> {}));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.begin(null));
    db.run(tx -> refused(ErrorCode.NULL_NOT_ALLOWED, () -> tx.on((Index<String, String>) null)));
    db.run(tx -> refused(ErrorCode.NULL_NOT_ALLOWED, () -> tx.on((Table<String, String>) null)));
  }

  @Test
  void thatArePreparedAreListedAndDecided() {
    BranchId unknown = BranchId.of(1, new byte[] {1}, new byte[] {2});
    assertThat(db.xa().prepared()).isEmpty();
    assertThat(db.xa().resolve(unknown, true)).isFalse();
    assertThat(other.xa().resolve(unknown, false)).isFalse();
  }
}
