package io.canopygrid.gmu.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log against a plain list of clocks. */
final class CommitLogTest {
  private static final int SHARD = 1;

  private static TxId tid(long counter) {
    return new TxId(new NodeId(1), counter);
  }

  @Test
  void extendsASnapshotByWhatItMaySee() {
    for (long seed = 0; seed < 400; seed++) {
      SeededRandom random = new SeededRandom(seed);
      CommitLog log = new CommitLog(SHARD);
      List<VectorClock> twin = new ArrayList<>();
      VectorClock last = VectorClock.ZERO;
      for (int i = 0; i < 30; i++) {
        VectorClock clock =
            last.with(SHARD, 10 + i).with(random.below(4) + 2, random.between(1, 9));
        last = random.chance(0.7) ? clock : last;
        if (random.chance(0.2) && i > 2) {
          // A late one, below others: as at a backup.
          clock = clock.with(SHARD, 10 + i - 2);
        }
        log.append(clock.get(SHARD), tid(i), clock, List.of());
        log.append(clock.get(SHARD), tid(i), clock, List.of());
        twin.add(clock);
        log.check();
        assertThat(log.size()).as("seed %s", seed).isEqualTo(twin.size());
        compare(log.view(), twin, random, seed);
      }
    }
  }

  private static void compare(
      CommitLog.View view, List<VectorClock> twin, SeededRandom random, long seed) {
    VectorClock snapshot = VectorClock.ZERO;
    ShardSet hasRead = ShardSet.EMPTY;
    for (int shard = 2; shard < 6; shard++) {
      int number = random.below(10);
      snapshot = number == 0 ? snapshot : snapshot.with(shard, number);
      hasRead = random.chance(0.4) ? hasRead.with(shard) : hasRead;
    }
    long upTo = random.chance(0.5) ? Long.MAX_VALUE : random.below(10);
    VectorClock expected = snapshot;
    for (VectorClock clock : twin) {
      if (clock.get(SHARD) <= upTo && clock.precedesOrEqualsOn(hasRead, snapshot)) {
        expected = expected.join(clock);
      }
    }
    assertThat(view.extend(snapshot, hasRead, upTo)).as("seed %s", seed).isEqualTo(expected);
  }

  @Test
  void dropsWhatIsBelowTheHorizonInAllComponents() {
    CommitLog log = new CommitLog(SHARD);
    CompositeKey key = CompositeKey.of(1, new byte[] {1});
    VectorClock below = VectorClock.ZERO.with(SHARD, 1);
    VectorClock aside = VectorClock.ZERO.with(SHARD, 2).with(2, 7);
    VectorClock above = VectorClock.ZERO.with(SHARD, 5);
    log.append(1, tid(1), below, List.of(key));
    log.append(2, tid(2), aside, List.of(key));
    log.append(5, tid(5), above, List.of());
    CommitLog.View before = log.view();
    List<CommitLog.Entry> dropped = log.truncateBelow(VectorClock.ZERO.with(SHARD, 3).with(2, 6));
    assertThat(dropped).singleElement().matches(e -> e.tid().equals(tid(1)));
    assertThat(dropped.get(0).keys()).containsExactly(key);
    assertThat(log.size()).isEqualTo(2);
    assertThat(log.applied()).isEqualTo(5);
    // A published view does not change.
    ShardSet hasRead = ShardSet.EMPTY.with(2);
    assertThat(before.extend(VectorClock.ZERO, hasRead, Long.MAX_VALUE).get(SHARD)).isEqualTo(5);
    assertThat(log.truncateBelow(VectorClock.ZERO.with(SHARD, 3))).isEmpty();
  }

  @Test
  void aLogAtRestHasNothingThatASnapshotLacks() {
    CommitLog log = new CommitLog(SHARD);
    VectorClock horizon = VectorClock.ZERO.with(SHARD, 2).with(2, 7);
    log.append(1, tid(1), VectorClock.ZERO.with(SHARD, 1), List.of());
    log.append(2, tid(2), horizon, List.of());
    VectorClock snapshot = horizon.with(3, 4);
    assertThat(log.view().extend(snapshot, ShardSet.EMPTY, Long.MAX_VALUE)).isEqualTo(snapshot);
    assertThat(log.truncateBelow(horizon)).hasSize(2);
    assertThat(log.view().extend(snapshot, ShardSet.EMPTY, Long.MAX_VALUE)).isSameAs(snapshot);
    // A commit that comes after that counts.
    VectorClock next = horizon.with(SHARD, 3).with(5, 1);
    log.append(3, tid(3), next, List.of());
    assertThat(log.view().extend(snapshot, ShardSet.EMPTY, Long.MAX_VALUE))
        .isEqualTo(snapshot.join(next));
  }

  @Test
  void aViewKeepsItsLengthWhileTheLogGrows() {
    CommitLog log = new CommitLog(SHARD);
    log.append(1, tid(1), VectorClock.ZERO.with(SHARD, 1), List.of());
    CommitLog.View view = log.view();
    for (int i = 2; i < 100; i++) {
      log.append(i, tid(i), VectorClock.ZERO.with(SHARD, i), List.of());
    }
    assertThat(view.applied()).isEqualTo(1);
    assertThat(view.extend(VectorClock.ZERO, ShardSet.EMPTY, 100).get(SHARD)).isEqualTo(1);
    assertThat(log.view().extend(VectorClock.ZERO, ShardSet.EMPTY, 100).get(SHARD)).isEqualTo(99);
  }
}
