package io.canopygrid.btree.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The controller's decisions, carried out in a model until it has nothing left to do. */
final class CutOffPolicyTest {
  private static final int ROUNDS = 60;

  private final CutOffPolicy policy = new CutOffPolicy(BalanceLimits.DEFAULT);

  @Test
  void anIndexGetsAsManySubtreesAsAreWanted() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 20_000);
    grid.settle(policy, ROUNDS);
    assertThat(grid.subtrees()).isBetween(24, 48);
    assertThat(grid.unevenness(false)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  @Test
  void aSmallIndexIsLeftAlone() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 128);
    assertThat(policy.decide(grid.look())).isEmpty();
    GridOfSubtrees alone = new GridOfSubtrees(1, 20_000);
    alone.load(key -> 1);
    assertThat(policy.decide(alone.look())).isEmpty();
  }

  @Test
  void aFixedCutOffCountsMoreThanTheLeastSize() {
    GridOfSubtrees grid = new GridOfSubtrees(2, 100);
    grid.cutOffs.put(GridOfSubtrees.INDEX, 10);
    grid.settle(policy, ROUNDS);
    assertThat(grid.subtrees()).isBetween(20, 40);
    grid.cutOffs.put(GridOfSubtrees.INDEX, 1);
    grid.settle(policy, ROUNDS);
    assertThat(grid.subtrees()).isBetween(2, 4);
  }

  @Test
  void aHotRangeIsCutAndSpreadInFewRounds() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 20_000);
    grid.settle(policy, ROUNDS);
    grid.load(key -> key >= 7_000 && key < 7_200 ? 45 : 0.05);
    assertThat(grid.unevenness(true)).isGreaterThan(2);
    assertThat(grid.settle(policy, ROUNDS)).isLessThan(8);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
    assertThat(grid.greatest()).isLessThanOrEqualTo(1.0 / 6);
  }

  @Test
  void aMovingHotRangeIsFollowedAndWhatIsColdIsMerged() {
    GridOfSubtrees grid = new GridOfSubtrees(4, 40_000);
    Random random = new Random(1);
    for (int spot = 0; spot < 30; spot++) {
      long hot = random.nextInt(39_000);
      grid.load(key -> key >= hot && key < hot + 200 ? 30 : 0.05);
      grid.settle(policy, ROUNDS);
      assertThat(grid.unevenness(true)).as("spot %s", spot).isLessThanOrEqualTo(1.25);
      assertThat(grid.greatest()).as("spot %s", spot).isLessThanOrEqualTo(1.0 / 8);
      assertThat(grid.subtrees()).as("spot %s", spot).isLessThanOrEqualTo(2 * 32 + 40_000 / 256);
    }
  }

  /** The subtrees at a node that does not answer stay as they are, and nothing goes there. */
  @Test
  void oneSilentNodeStopsNobodyElse() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 20_000);
    grid.settle(policy, ROUNDS);
    for (int node = 0; node < 3; node++) {
      assertThat(policy.decide(grid.lookWithout(new NodeId(node)))).as("all is well").isEmpty();
    }
    grid.load(key -> key >= 7_000 && key < 7_200 ? 45 : 0.05);
    int decisions = 0;
    for (int node = 0; node < 3; node++) {
      GridLoad seen = grid.lookWithout(new NodeId(node));
      for (PlannedChange change : new CutOffPolicy(BalanceLimits.DEFAULT).decide(seen)) {
        decisions++;
        assertThat(change.subtree().node()).as("%s", change).isNotNull();
        int shard =
            change instanceof PlannedChange.Split split
                ? split.shard()
                : change instanceof PlannedChange.Move move
                    ? move.shard()
                    : change.subtree().shard();
        assertThat(seen.primaries().get(shard)).as("%s", change).isNotNull();
      }
    }
    assertThat(decisions)
        .as("what is hot is at a node that is heard, in two of three")
        .isPositive();
  }

  @Test
  void oneHotKeyIsNotCutForEver() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 5_000);
    grid.load(key -> key == 777 ? 10_000 : 0.1);
    grid.settle(policy, ROUNDS);
    assertThat(grid.greatest()).isGreaterThan(0.9);
    assertThat(grid.subtrees()).isLessThan(60);
  }

  @Test
  void aJoinAndALeaveEndEven() {
    GridOfSubtrees grid = new GridOfSubtrees(2, 20_000);
    grid.load(key -> 0.1);
    grid.settle(policy, ROUNDS);
    for (int nodes : new int[] {3, 4, 6, 3, 2}) {
      grid.nodes(nodes);
      grid.settle(policy, ROUNDS);
      assertThat(grid.unevenness(true)).as("%s nodes", nodes).isLessThanOrEqualTo(1.25);
      assertThat(grid.subtrees()).as("%s nodes", nodes).isGreaterThanOrEqualTo(8 * nodes);
    }
  }

  @Test
  void littleLoadIsSpreadAllTheSame() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      GridOfSubtrees grid = new GridOfSubtrees(4, 4_000);
      grid.settle(policy, ROUNDS);
      grid.load(key -> key < 1_000 ? 0.1 : 0.001);
      assertThat(grid.unevenness(true)).as("seed %s", seed).isGreaterThan(1.5);
      for (int round = 0; round < ROUNDS; round++) {
        grid.make(policy.decide(grid.seen(random)));
      }
      assertThat(grid.unevenness(true)).as("seed %s", seed).isLessThan(1.45);
    }
  }

  @Test
  void manySmallSubtreesAddUp() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 40_000);
    grid.cutOffs.put(GridOfSubtrees.INDEX, 200);
    grid.settle(policy, 400);
    assertThat(grid.subtrees()).isGreaterThanOrEqualTo(600);
    List<PlacedSubtree> placed = grid.look().subtrees();
    Set<Long> more = new HashSet<>();
    for (PlacedSubtree subtree : placed) {
      if (new NodeId(1).equals(subtree.node())) {
        more.add(ByteBuffer.wrap(Arrays.copyOf(subtree.low(), Long.BYTES)).getLong());
      }
    }
    grid.load(key -> more.contains(key) ? 100 : 0.1);
    assertThat(grid.unevenness(true)).isGreaterThan(2);
    grid.settle(policy, 400);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  @Test
  void whatMayBeChanceMovesNothing() {
    GridOfSubtrees grid = new GridOfSubtrees(4, 4_000);
    grid.settle(policy, ROUNDS);
    Random random = new Random(3);
    // About the least load that counts.
    grid.load(key -> 24.0 * 4 / 4_000);
    int changes = 0;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      List<PlannedChange> decided = policy.decide(grid.seen(random));
      grid.make(decided);
      changes += decided.size();
    }
    assertThat(changes).isZero();
  }

  @Test
  void theLoadCountsUntilItIsMuchLess() {
    GridOfSubtrees grid = new GridOfSubtrees(3, 5_000);
    grid.load(key -> key < 500 ? 1 : 0);
    grid.settle(policy, ROUNDS);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
    grid.load(key -> key < 500 ? 0.08 : 0);
    assertThat(policy.decide(grid.look())).as("less than 20 per node, more than 10").isEmpty();
    grid.load(key -> 0);
    assertThat(policy.decide(grid.look())).as("no load: the entries count").isNotEmpty();
  }

  @Test
  void whateverTheLoadItComesToRest() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int nodes = 1 + random.nextInt(6);
      GridOfSubtrees grid = new GridOfSubtrees(nodes, 1 + random.nextInt(5_000));
      for (int phase = 0; phase < 4; phase++) {
        int hot = random.nextInt(5_000);
        int width = 1 + random.nextInt(1_000);
        double high = random.nextInt(100);
        grid.load(key -> key >= hot && key < hot + width ? high : 0.1);
        grid.nodes(1 + random.nextInt(6));
        grid.settle(policy, ROUNDS);
        List<PlannedChange> again = policy.decide(grid.look());
        assertThat(again).as("seed %s", seed).isEmpty();
      }
    }
  }
}
