package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leaves one after the other, over a network that delays, reorders and repeats. */
final class LeaveTurnsTest {
  private static final int NODES = 5;
  private static final int STEPS_MAX = 100_000;

  private record Packet(int from, int to, LeaveTurn turn) {}

  private final List<LeaveTurns> nodes = new ArrayList<>();
  private final List<Packet> wire = new ArrayList<>();
  private final Set<Integer> present = new HashSet<>();

  private void start() {
    nodes.clear();
    wire.clear();
    for (int i = 0; i < NODES; i++) {
      int from = i;
      present.add(i);
      nodes.add(
          new LeaveTurns(
              id(i), (to, turn) -> wire.add(new Packet(from, (int) to.value() - 1, turn))));
    }
  }

  private static NodeId id(int node) {
    return new NodeId(node + 1);
  }

  private boolean take(int node) {
    Set<NodeId> others = new HashSet<>();
    present.forEach(other -> others.add(id(other)));
    others.remove(id(node));
    return nodes.get(node).take(others);
  }

  private void deliver(Packet packet) {
    if (present.contains(packet.to())) {
      nodes.get(packet.to()).heard(id(packet.from()), packet.turn());
    }
  }

  @Test
  void aLoneWishIsGrantedByAll() {
    start();

    assertThat(take(2)).isFalse();
    while (!wire.isEmpty()) {
      deliver(wire.remove(0));
    }

    assertThat(take(2)).isTrue();
  }

  @Test
  void aConsentFromBeforeItsSenderWantedTheTurnDoesNotCount() {
    start();
    present.removeAll(Set.of(2, 3, 4));
    take(1);
    deliver(wire.remove(0));
    Packet early = wire.remove(0);
    take(0);
    deliver(wire.remove(0));
    Packet consent = wire.remove(0);

    deliver(early);
    deliver(consent);

    assertThat(take(1)).isFalse();
    assertThat(take(0)).isTrue();
  }

  @Test
  void aTurnThatIsGivenUpGoesToTheNext() {
    start();
    present.removeAll(Set.of(2, 3, 4));
    take(0);
    while (!wire.isEmpty()) {
      deliver(wire.remove(0));
    }
    assertThat(take(0)).isTrue();
    take(1);
    deliver(wire.remove(0));
    assertThat(take(1)).isFalse();
    wire.clear();

    nodes.get(0).giveUp();
    take(1);
    while (!wire.isEmpty()) {
      deliver(wire.remove(0));
    }

    assertThat(take(1)).isTrue();
    assertThat(take(0)).isFalse();
  }

  @Test
  void neverTwoAtATime() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      start();
      Integer has = null;
      for (int step = 0; !present.isEmpty(); step++) {
        assertThat(step).as("seed %d", seed).isLessThan(STEPS_MAX);
        if (!wire.isEmpty() && random.nextInt(4) > 0) {
          int at = random.nextInt(wire.size());
          deliver(random.nextInt(8) == 0 ? wire.get(at) : wire.remove(at));
          continue;
        }
        List<Integer> there = List.copyOf(present);
        int node = there.get(random.nextInt(there.size()));
        if (random.nextInt(50) == 0) {
          present.remove(node); // gone: it has left, or has died, with the turn or without
          has = has != null && has == node ? null : has;
        } else if (random.nextInt(50) == 0) {
          nodes.get(node).giveUp();
          has = has != null && has == node ? null : has;
        } else if (take(node)) {
          assertThat(has == null || has == node).as("seed %d: two at a time", seed).isTrue();
          has = node;
        }
      }
    }
  }
}
