package io.canopygrid.btree.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.Limits;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.Mode;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The writes of a transaction are counted until it ends, and bounded. */
final class WriteLimitsTest {
  private static final int TRANSACTION_BYTES_MAX = 100;
  private static final int MEMORY_BYTES = 150;

  private final Memory memory = new Memory();
  private EmbeddedCanopy db;
  private ServedNode node;
  private IndexRef index;

  /** Memory of {@value MEMORY_BYTES} bytes. */
  private static final class Memory implements WriteMemory {
    private long held;

    @Override
    public boolean take(long bytes) {
      if (held + bytes > MEMORY_BYTES) {
        return false;
      }
      held += bytes;
      return true;
    }

    @Override
    public void free(long bytes) {
      held -= bytes;
    }

    @Override
    public long held() {
      return held;
    }
  }

  @BeforeEach
  void start() {
    db = EmbeddedCanopy.start();
    node = db.served();
    index = node.open("things", "bytes", "bytes", IndexOptions.DEFAULTS);
  }

  @AfterEach
  void stop() {
    db.close();
  }

  private ServedTransaction begin() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    return node.begin(
        new Begin(Mode.UPDATE, VectorClock.ZERO, deadlineNanos, "", ReadFrom.PRIMARY, ""),
        TRANSACTION_BYTES_MAX,
        memory);
  }

  private static void refused(ErrorCode code, ThrowingCallable write) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(write)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void whatIsWrittenIsHeldUntilTheCommit() {
    ServedTransaction transaction = begin();
    transaction.on(index).put(new byte[10], new byte[30]);
    transaction.on(index).remove(new byte[5]);
    assertThat(memory.held()).isEqualTo(45);
    transaction.commit(null);
    assertThat(memory.held()).isZero();
    transaction.end(false);
    assertThat(memory.held()).as("freed once").isZero();
  }

  @Test
  void whatIsWrittenIsHeldUntilTheEnd() {
    ServedTransaction transaction = begin();
    transaction.on(index).put(new byte[10], new byte[30]);
    transaction.end(false);
    assertThat(memory.held()).isZero();
  }

  @Test
  void keysOfARemovedRangeCount() {
    ServedTransaction before = begin();
    before.on(index).put(new byte[60], new byte[0]);
    before.on(index).put(new byte[30], new byte[0]);
    before.commit(null);
    ServedTransaction transaction = begin();
    assertThat(transaction.on(index).removeRange(KeyRange.ALL)).isEqualTo(2);
    assertThat(memory.held()).isEqualTo(90);
    transaction.end(false);
  }

  @Test
  void aTransactionIsBounded() {
    ServedTransaction transaction = begin();
    EngineView view = transaction.on(index);
    view.put(new byte[50], new byte[50]);
    refused(ErrorCode.TRANSACTION_TOO_LARGE, () -> view.put(new byte[1], new byte[0]));
    refused(ErrorCode.TRANSACTION_TOO_LARGE, () -> view.remove(new byte[1]));
    assertThat(memory.held()).as("what was refused does not count").isEqualTo(100);
    transaction.end(false);
  }

  @Test
  void allTransactionsTogetherAreBounded() {
    ServedTransaction one = begin();
    one.on(index).put(new byte[50], new byte[50]);
    ServedTransaction other = begin();
    refused(ErrorCode.OVERLOADED, () -> other.on(index).put(new byte[50], new byte[1]));
    one.end(false);
    other.on(index).put(new byte[50], new byte[1]);
    assertThat(memory.held()).isEqualTo(51);
    other.end(false);
  }

  @Test
  void keysAndValuesAreBounded() {
    ServedTransaction transaction = begin();
    EngineView view = transaction.on(index);
    refused(
        ErrorCode.KEY_TOO_LARGE, () -> view.put(new byte[Limits.KEY_BYTES_MAX + 1], new byte[0]));
    refused(ErrorCode.KEY_TOO_LARGE, () -> view.remove(new byte[Limits.KEY_BYTES_MAX + 1]));
    refused(
        ErrorCode.VALUE_TOO_LARGE,
        () -> view.put(new byte[1], new byte[Limits.VALUE_BYTES_MAX + 1]));
    assertThat(memory.held()).isZero();
    transaction.end(false);
  }
}
