package io.canopygrid.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A write of several entries is committed whole, or nothing is. */
final class WholeWriteTest {
  private final Engine engine = new Engine();
  private final OpenTransaction transaction = new OpenTransaction(new Handle(), engine) {};

  @Test
  void aWriteThatSucceedsIsCommitted() {
    assertThat(transaction.whole(() -> 7)).isEqualTo(7);
    transaction.end();
    assertThat(engine.end).isEqualTo("committed");
  }

  @Test
  void afterAWriteThatFailedHalfWayNothingIsCommitted() {
    IllegalStateException cause = new IllegalStateException("full");
    assertThatThrownBy(() -> transaction.whole(() -> thrown(cause))).isSameAs(cause);
    assertThatThrownBy(transaction::end)
        .isInstanceOf(CanopyException.class)
        .hasMessageStartingWith(ErrorCode.ROLLBACK_ONLY + ": a write failed half way: full. ")
        .hasCause(cause);
    assertThat(engine.end).isEqualTo("ended");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void aConflictOfSuchAWriteIsAConflictAtTheCommit() {
    CanopyException conflict =
        new CanopyException(
            ErrorCode.WRITE_CONFLICT, "changed", CommitState.NOT_COMMITTED, engine.id(), null);
    assertThatThrownBy(() -> transaction.whole(() -> thrown(conflict))).isSameAs(conflict);
    assertThatThrownBy(transaction::end).isSameAs(conflict);
    assertThat(engine.end).isEqualTo("ended");
  }

  /** A commit that ends by a mistake of the code may have happened. */
  @Test
  void aCommitThatEndsUnexpectedlyIsNotToldAsNotCommitted() {
    IllegalStateException mistake = new IllegalStateException("a mistake");
    engine.failure = mistake;
    assertThatThrownBy(transaction::end).isSameAs(mistake);
    assertThatThrownBy(transaction::checkOpen)
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN));
  }

  private static Integer thrown(RuntimeException e) {
    throw e;
  }

  /** Notes how it ends. */
  private static final class Engine implements EngineTransaction {
    private @Nullable String end;
    private @Nullable RuntimeException failure;

    @Override
    public String id() {
      return "t1";
    }

    @Override
    public EngineView on(OpenIndex index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void countCommit() {}

    @Override
    public VectorClock clock() {
      return VectorClock.ZERO;
    }

    @Override
    public int remoteRequests() {
      return 0;
    }

    @Override
    public int redirects() {
      return 0;
    }

    @Override
    public VectorClock commit() {
      if (failure != null) {
        throw failure;
      }
      end = "committed";
      return VectorClock.ZERO;
    }

    @Override
    public void end() {
      end = "ended";
    }

    @Override
    public void cutOff(ErrorCode code, String why) {}
  }
}
