package io.canopygrid.btree.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The error of a transaction that its handle has ended. */
final class TransactionContextTest {
  private final GmuNode node =
      StandaloneNode.start(
          new ShardMap(1), NodeSettings.DEFAULT, BPlusTree.factory(), new SubtreeFences());
  private final TransactionContext context =
      new TransactionContext(
          node.threads(),
          () -> "t1",
          new Begin(Mode.UPDATE, VectorClock.ZERO, Long.MAX_VALUE, "", ReadFrom.PRIMARY, ""));

  private final CanopyException closed =
      Failures.failure(ErrorCode.CANOPY_CLOSED, "the handle was closed", null, null);

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void allFailuresAfterTheCutAreThatOne() {
    context.cutOff(closed);
    assertThat(context.failure(new IllegalStateException("ended"))).isSameAs(closed);
    assertThat(context.failure(Failures.failure(ErrorCode.WRITE_CONFLICT, "changed", "t1", null)))
        .isSameAs(closed);
  }

  /** A handle that is closed while a commit is under way does not know what becomes of it. */
  @Test
  void aCommitWithoutAnOutcomeIsNotToldAsNotCommitted() {
    context.cutOff(closed);
    CanopyException unknown =
        Failures.unknown(ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", "t1");
    assertThat(context.failure(unknown)).isSameAs(unknown);
    assertThat(unknown.commitState()).isEqualTo(CommitState.UNKNOWN);
  }
}
