package io.canopygrid.btree.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Placement;
import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where subtrees go with {@link Placement#NEAR}, in a model, until nothing is left to be done. */
final class NearPlacementTest {
  private static final int ROUNDS = 120;
  private static final long KEYS = 20_000;

  private final CutOffPolicy policy =
      new CutOffPolicy(new BalanceLimits(true, 8, 128, 20_000, Placement.NEAR, 1_000));

  @Test
  void whatOneNodesCallersUseGoesThere() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.settle(policy, ROUNDS);
    grid.load(key -> 0.1);
    grid.users(key -> new NodeId(2));
    assertThat(grid.atHome()).isLessThan(0.5);
    grid.settle(policy, ROUNDS);
    assertThat(grid.atHome()).isGreaterThan(0.9);
  }

  @Test
  void eachNodeGetsWhatItsOwnCallersUse() {
    GridOfSubtrees grid = new GridOfSubtrees(4, KEYS);
    grid.settle(policy, ROUNDS);
    grid.load(key -> 0.1);
    grid.users(key -> new NodeId(3 - key * 4 / KEYS));
    assertThat(grid.atHome()).isLessThan(0.5);
    grid.settle(policy, ROUNDS);
    assertThat(grid.atHome()).isGreaterThan(0.9);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  @Test
  void whatAllUseAlikeIsSpreadEvenly() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.load(key -> key < 2_000 ? 1 : 0.1);
    grid.users(key -> new NodeId(key % 3));
    grid.settle(policy, ROUNDS);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  @Test
  void whatNobodysOwnCallersUseIsSpreadEvenly() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.load(key -> key < 2_000 ? 1 : 0.1);
    grid.settle(policy, ROUNDS);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  /** Two of four have callers, who use all alike: the others help them. */
  @Test
  void whoHasNoCallersHasLessButNotNothing() {
    GridOfSubtrees grid = new GridOfSubtrees(4, KEYS);
    grid.load(key -> 0.1);
    grid.users(key -> new NodeId(key % 2));
    grid.settle(policy, ROUNDS);
    assertThat(grid.atHome()).isGreaterThan(0.3);
    assertThat(grid.unevenness(true)).isBetween(1.2, 1.5);
  }

  @Test
  void aHotRangeIsCutWhereItIsUsed() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.users(key -> new NodeId(1));
    grid.load(key -> key >= 7_000 && key < 7_200 ? 45 : 0.05);
    grid.settle(policy, ROUNDS);
    assertThat(grid.atHome()).isGreaterThan(0.9);
    assertThat(grid.greatest()).isLessThanOrEqualTo(1.0 / 6);
  }

  @Test
  void aNodeIsNotFilledWithAllThereIs() {
    GridOfSubtrees grid = new GridOfSubtrees(12, KEYS);
    grid.settle(policy, ROUNDS);
    grid.load(key -> 0.5);
    grid.users(key -> new NodeId(5));
    grid.settle(policy, ROUNDS);
    assertThat(grid.fullest()).isBetween(2.5, BalanceRound.FULL);
  }

  @Test
  void norWhileAnIndexGrowsWhereItIsUsed() {
    GridOfSubtrees grid = new GridOfSubtrees(12, KEYS);
    grid.load(key -> 0.5);
    grid.users(key -> new NodeId(5));
    grid.settle(policy, ROUNDS);
    assertThat(grid.fullest()).isBetween(2.5, BalanceRound.FULL);
  }

  @Test
  void whoHasTooMuchAndNothingToDoWithItGivesItUp() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.load(key -> 0.5);
    grid.users(key -> new NodeId(2));
    grid.settle(policy, ROUNDS);
    assertThat(grid.atHome()).isGreaterThan(0.9);
    grid.nodes(12);
    grid.users(key -> null);
    grid.settle(policy, ROUNDS);
    assertThat(grid.fullest()).isLessThanOrEqualTo(BalanceRound.FULL);
    assertThat(grid.unevenness(true)).isLessThanOrEqualTo(SubtreeMoves.UNEVEN);
  }

  @Test
  void whereNothingIsUsedAnyMoreNothingGoesBack() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.load(key -> 0.1);
    grid.users(key -> new NodeId(0));
    grid.settle(policy, ROUNDS);
    grid.load(key -> 0);
    assertThat(policy.decide(grid.look())).isEmpty();
  }

  @Test
  void usersWhoMoveAreFollowed() {
    GridOfSubtrees grid = new GridOfSubtrees(3, KEYS);
    grid.load(key -> 0.1);
    for (int user = 0; user < 6; user++) {
      NodeId at = new NodeId(user % 3);
      grid.users(key -> at);
      grid.settle(policy, ROUNDS);
      assertThat(grid.atHome()).as("user %s", user).isGreaterThan(0.9);
    }
  }

  @Test
  void whatMayBeChanceMovesNothing() {
    GridOfSubtrees grid = new GridOfSubtrees(4, 4_000);
    grid.settle(policy, ROUNDS);
    Random random = new Random(3);
    grid.load(key -> 24.0 * 4 / 4_000);
    grid.users(key -> new NodeId(key % 4));
    int changes = 0;
    for (int round = 0; round < 600; round++) {
      List<PlannedChange> decided = policy.decide(grid.seen(random));
      grid.make(decided);
      changes += decided.size();
    }
    assertThat(changes).isZero();
  }

  @Test
  void whoeverUsesWhatItComesToRest() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      GridOfSubtrees grid = new GridOfSubtrees(1 + random.nextInt(6), 1 + random.nextInt(5_000));
      for (int phase = 0; phase < 4; phase++) {
        int hot = random.nextInt(5_000);
        int width = 1 + random.nextInt(1_000);
        double high = random.nextInt(100);
        grid.load(key -> key >= hot && key < hot + width ? high : 0.1);
        grid.nodes(1 + random.nextInt(6));
        int users = 1 + random.nextInt(6);
        int block = 1 + random.nextInt(2_000);
        boolean some = random.nextBoolean();
        grid.users(key -> some && key % 3 == 0 ? null : new NodeId(key / block % users));
        grid.settle(policy, ROUNDS);
        assertThat(policy.decide(grid.look())).as("seed %s", seed).isEmpty();
      }
    }
  }
}
