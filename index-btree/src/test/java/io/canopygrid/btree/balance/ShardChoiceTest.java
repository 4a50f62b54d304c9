package io.canopygrid.btree.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShardChoiceTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);

  @Test
  void choosesTheNodeWithTheFewestAndThereTheShardWithTheFewest() {
    Topology topology = topology(A, A, B, B);
    assertThat(choose(topology, A, 3, 3, 2, 1)).isEqualTo(3);
    assertThat(choose(topology, A, 0, 1, 1, 1)).isZero();
    assertThat(choose(topology, A, 9, 0, 5, 3)).isEqualTo(3);
  }

  @Test
  void staysWhereItIsOnATie() {
    Topology topology = topology(A, A, B, B);
    assertThat(choose(topology, A, 1, 1, 1, 1)).isZero();
    assertThat(choose(topology, B, 1, 1, 1, 1)).isEqualTo(2);
  }

  @Test
  void passesOverShardsWithoutOwners() {
    Placement none = new Placement(List.of(), List.of());
    Placement ofB = new Placement(List.of(B), List.of());
    Topology topology = new Topology(1, List.of(A, B), List.of(none, ofB, none));
    assertThat(choose(topology, A, 0, 7)).isEqualTo(1);
    Topology lost = new Topology(1, List.of(A, B), List.of(none, none, none));
    assertThat(choose(lost, A, 0, 7)).isEqualTo(99);
  }

  @Test
  void whileThereAreFewSubtreesTheyAreSpreadOverTheShards() {
    NodeId[] primaries = new NodeId[256];
    Arrays.fill(primaries, A);
    Topology topology = topology(primaries);
    int[] ofShard = new int[256];
    for (int subtree = 0; subtree < 64; subtree++) {
      ofShard[choose(topology, A, ofShard)]++;
    }
    for (int from = 0; from < 256; from += 32) {
      assertThat(Arrays.stream(ofShard, from, from + 32).sum()).isBetween(7, 9);
    }
    for (int subtree = 64; subtree < 512; subtree++) {
      ofShard[choose(topology, A, ofShard)]++;
    }
    assertThat(ofShard).containsOnly(2);
  }

  private static int choose(Topology topology, NodeId preferred, int... ofShard) {
    return ShardChoice.choose(ofShard, topology, preferred, 99);
  }

  private static Topology topology(NodeId... primaries) {
    List<Placement> shards =
        Arrays.stream(primaries).map(p -> new Placement(List.of(p), List.of())).toList();
    return new Topology(1, List.of(A, B), shards);
  }
}
