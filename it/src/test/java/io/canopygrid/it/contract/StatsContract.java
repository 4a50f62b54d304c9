package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.TransactionOptions;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The statistics of a handle. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class StatsContract extends Theme {
  StatsContract(ContractGrid grid) {
    super(grid);
  }

  private TransactionStats counted() {
    return db.stats().byLabel().get(name);
  }

  @Test
  void byLabelAndIndex() {
    TransactionOptions labelled = TransactionOptions.labelled(name);
    TransactionStats before = db.stats().total();
    db.run(labelled, tx -> tx.on(index).put("a", "1"));
    db.read(labelled, tx -> tx.on(index).get("a"));
    assertThat(counted().commits()).isEqualTo(2);
    assertThat(counted().attempts()).isEqualTo(2);
    assertThat(counted().aborts()).isEmpty();
    assertThat(counted().latency().count()).isEqualTo(2);
    assertThat(db.stats().byIndex().get(name).commits()).isEqualTo(2);
    assertThat(db.stats().total().commits()).isGreaterThanOrEqualTo(before.commits() + 2);
    assertThat(db.stats().total().remoteRequests())
        .isGreaterThanOrEqualTo(before.remoteRequests() + counted().remoteRequests());
  }

  @Test
  void abortsByCode() {
    TransactionOptions labelled = TransactionOptions.labelled(name);
    AtomicInteger runs = new AtomicInteger();
    db.run(
        labelled,
        tx -> {
          tx.on(index).get("a");
          if (runs.getAndIncrement() < 2) {
            overwrite("a", "" + runs);
          }
          tx.on(index).put("a", "mine");
        });
    assertThat(counted().aborts()).containsOnlyKeys(ErrorCode.WRITE_CONFLICT);
    assertThat(counted().aborts()).containsEntry(ErrorCode.WRITE_CONFLICT, 2L);
    assertThat(counted().attempts()).isEqualTo(3);
    assertThat(db.stats().byIndex().get(name).aborts()).containsEntry(ErrorCode.WRITE_CONFLICT, 2L);
  }

  @Test
  void aCallersExceptionIsNoAbort() {
    assertThatThrownBy(() ->
            db.run(
                TransactionOptions.labelled(name),
                tx -> {
                  tx.on(index).get("a");
                  throw new ArithmeticException();
                }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(counted().attempts()).isEqualTo(1);
    assertThat(counted().commits()).isZero();
    assertThat(counted().aborts()).isEmpty();
  }
}
