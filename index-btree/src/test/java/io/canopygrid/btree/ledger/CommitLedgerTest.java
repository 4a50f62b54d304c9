package io.canopygrid.btree.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of commits are dropped when they are old, by a clock that the test moves. */
final class CommitLedgerTest {
  private static final int SHARDS = 8;
  private static final UUID CLIENT = new UUID(3, 4);

  private final GmuNode node =
      StandaloneNode.start(
          new ShardMap(SHARDS), NodeSettings.DEFAULT, BPlusTree.factory(), new SubtreeFences());
  private long millis = 1_000_000_000_000L;
  private final CommitLedger ledger = new CommitLedger(node, () -> millis);
  private final ForgottenCommits forgotten = new ForgottenCommits(node, () -> millis);

  @AfterEach
  void stop() {
    forgotten.close();
    node.close();
  }

  private CommitId name(int number) {
    return new CommitId(CLIENT, millis, number, number % SHARDS);
  }

  private void commit(CommitId name, byte[] result) {
    Write record = ledger.record(name, result);
    GmuTransaction transaction =
        node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    try {
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(record.key(), Seen.ABSENT)), List.of(), List.of(record));
      assertThat(transaction.commit(footprint, "test")).isInstanceOf(Outcome.Committed.class);
    } finally {
      transaction.end();
    }
  }

  private CommitState stateOf(CommitId name) {
    return ledger.lookUp(name).state();
  }

  @Test
  void whatIsOldIsSweptAndWhatIsYoungStays() throws Exception {
    CommitId old = name(1);
    commit(old, new byte[] {7});
    CommitId prevented = name(2);
    assertThat(stateOf(prevented)).isEqualTo(CommitState.NOT_COMMITTED);
    millis += TimeUnit.MINUTES.toMillis(90);
    CommitId young = name(3);
    commit(young, new byte[0]);
    forgotten.sweep();
    assertThat(stateOf(old)).as("90 minutes old").isEqualTo(CommitState.COMMITTED);
    assertThat(ledger.lookUp(old).result()).containsExactly(7);

    millis += TimeUnit.MINUTES.toMillis(31);
    forgotten.sweep();
    assertThat(stateOf(old)).as("121 minutes old").isEqualTo(CommitState.UNKNOWN);
    assertThat(stateOf(prevented)).isEqualTo(CommitState.UNKNOWN);
    assertThat(stateOf(young)).as("31 minutes old").isEqualTo(CommitState.COMMITTED);
  }

  @Test
  void manyPagesAreSwept() throws Exception {
    for (int i = 0; i < 1_100; i++) {
      commit(new CommitId(CLIENT, millis, i, 5), new byte[0]);
    }
    millis += TimeUnit.HOURS.toMillis(3);
    forgotten.sweep();
    for (int i : new int[] {0, 500, 999, 1_000, 1_099}) {
      CommitId name = new CommitId(CLIENT, millis - TimeUnit.HOURS.toMillis(3), i, 5);
      assertThat(stateOf(name)).isEqualTo(CommitState.UNKNOWN);
    }
  }

  @Test
  void anOldNameIsNotTaken() {
    CommitId name = name(1);
    millis += TimeUnit.MINUTES.toMillis(11);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.record(name))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThat(stateOf(name)).as("it may have been, and dropped").isEqualTo(CommitState.UNKNOWN);
  }
}
