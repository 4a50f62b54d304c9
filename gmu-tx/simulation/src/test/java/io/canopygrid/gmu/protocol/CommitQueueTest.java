package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which a primary applies (protocol.md, Decide). */
final class CommitQueueTest {
  private final CommitQueue queue = new CommitQueue();

  private static TxId tid(long counter) {
    return new TxId(new NodeId(1), counter);
  }

  private static TxRecord rec(long counter) {
    Footprint nothing = new Footprint(List.of(), List.of(), List.of());
    return new TxRecord(tid(counter), 0, List.of(0), VectorClock.ZERO, nothing, false, "");
  }

  private static VectorClock at(long number) {
    return VectorClock.ZERO.with(0, number);
  }

  private List<Long> poll() {
    return queue.pollDecided().stream().map(e -> e.rec().tid().counter()).toList();
  }

  @Test
  void aPendingEntryHoldsBackWhatIsAboveItsProposal() {
    queue.propose(rec(1), 1);
    queue.propose(rec(2), 2);
    queue.decide(tid(2), at(2), 2);
    assertThat(poll()).isEmpty();
    queue.decide(tid(1), at(1), 1);
    assertThat(poll()).containsExactly(1L);
    assertThat(poll()).containsExactly(2L);
    assertThat(queue.size()).isZero();
  }

  @Test
  void aDecisionAboveTheProposalMovesAnEntryBack() {
    queue.propose(rec(1), 1);
    queue.propose(rec(2), 2);
    queue.decide(tid(1), at(2), 2);
    // The one pending at 2 could get 2 as well.
    assertThat(poll()).isEmpty();
    queue.decide(tid(2), at(2), 2);
    assertThat(poll()).containsExactly(1L, 2L);
  }

  @Test
  void anAbortLetsTheOthersGo() {
    queue.propose(rec(1), 1);
    queue.propose(rec(2), 2);
    queue.decide(tid(2), at(2), 2);
    assertThat(queue.remove(tid(1))).isNotNull();
    assertThat(queue.remove(tid(1))).isNull();
    assertThat(poll()).containsExactly(2L);
  }

  @Test
  void nothingIsProposedOrDecidedTwiceOrBelowItsProposal() {
    queue.propose(rec(1), 2);
    assertThatThrownBy(() -> queue.propose(rec(1), 3)).isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> queue.decide(tid(2), at(2), 2)).isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> new CommitQueue().decide(tid(1), at(1), 1))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void leavesInTheOrderOfNumbersWhateverIsDecidedFirst() {
    for (long seed = 0; seed < 300; seed++) {
      SeededRandom random = new SeededRandom(seed);
      CommitQueue q = new CommitQueue();
      List<Long> pending = new ArrayList<>();
      List<Long> applied = new ArrayList<>();
      long last = 0;
      for (int step = 0; step < 60; step++) {
        if (pending.isEmpty() || (step < 40 && random.chance(0.5))) {
          pending.add(++last);
          q.propose(rec(last), last);
        } else {
          long tid = pending.remove(random.below(pending.size()));
          if (random.chance(0.2)) {
            q.remove(tid(tid));
          } else {
            long number = tid + random.below((int) (last - tid) + 1);
            q.decide(tid(tid), at(number), number);
          }
        }
        for (List<CommitQueue.Entry> head = q.pollDecided();
            !head.isEmpty();
            head = q.pollDecided()) {
          long number = head.get(0).clock().get(0);
          assertThat(head).as("seed %s", seed).allMatch(e -> e.clock().get(0) == number);
          assertThat(pending).as("seed %s", seed).allMatch(open -> open > number);
          applied.add(number);
        }
      }
      assertThat(applied).as("seed %s", seed).isSorted().doesNotHaveDuplicates();
    }
  }
}
