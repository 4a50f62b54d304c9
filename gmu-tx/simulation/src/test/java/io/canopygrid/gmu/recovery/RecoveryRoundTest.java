package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes with disks agree, over a network that loses messages, while they come and go. */
final class RecoveryRoundTest {
  private static final int SEEDS = Integer.getInteger("canopy.rounds", 400);

  private final RoundWorld world = new RoundWorld(1);

  @Test
  void allThatAreThereAgree() {
    world.grid(3, 2, 4);
    world.disks.forEach(world::start);
    world.view(world.nodes.keySet());
    world.run(2_000);
    assertThat(world.nodes.values())
        .allSatisfy(node -> assertThat(node.round.agreed()).isNotNull())
        .extracting(node -> node.round.agreed())
        .containsOnly(world.foundings.get(8L));
  }

  @Test
  void aMemberThatIsMissingIsWaitedForAndThenLeftOut() {
    world.grid(3, 2, 4);
    world.start(world.disks.get(0));
    world.start(world.disks.get(1));
    world.view(world.nodes.keySet());
    world.run((int) RoundWorld.PATIENCE / 2);
    assertThat(world.foundings).isEmpty();
    world.run(2_000);
    assertThat(world.foundings).hasSize(1);
    assertThat(world.foundings.values()).allSatisfy(each -> assertThat(each.members()).hasSize(2));
  }

  @Test
  void aMinorityWaitsAndSaysForWhom() {
    world.grid(3, 2, 4);
    RoundWorld.Node alone = world.start(world.disks.get(1));
    world.view(world.nodes.keySet());
    world.run(2_000);
    assertThat(alone.round.agreed()).isNull();
    List<NodeId> missing =
        List.of(world.disks.get(0).users.get(0), world.disks.get(2).users.get(0));
    assertThat(alone.round.answer()).isEqualTo(new RecoveryDecision.Waits(3, missing, Set.of()));
  }

  @Test
  void emptyDisksHaveNothingToFoundAGridFrom() {
    world.disks.add(new RoundWorld.Disk(1));
    world.disks.add(new RoundWorld.Disk(2));
    world.disks.forEach(world::start);
    world.view(world.nodes.keySet());
    assertThat(world.nodes.values()).noneMatch(node -> node.round.isNothingStored());
    world.run(200);
    assertThat(world.nodes.values()).allMatch(node -> node.round.isNothingStored());
  }

  /** Nodes die, come again with their disks and are cut apart, and messages are lost. */
  @ParameterizedTest
  @CsvSource({"3, 2", "4, 2", "5, 3"})
  void noTwoFoundingsHaveOneId(int size, int owners) {
    int agreed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      RoundWorld run = new RoundWorld(seed);
      run.wildly(size, owners);
      run.rest();
      agreed += run.foundings.size();
    }
    assertThat(agreed).isGreaterThan(2 * SEEDS);
  }

  /** The same, and some of the disks are lost, which operators say. */
  @ParameterizedTest
  @CsvSource({"3, 2", "4, 2", "5, 3"})
  void noPartGoesOnBesideAnotherWhereDisksAreLost(int size, int owners) {
    int agreed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      RoundWorld run = new RoundWorld(seed);
      try {
        run.wildlyWithWords(size, owners);
        run.rest();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
      agreed += run.foundings.size();
    }
    assertThat(agreed).isGreaterThan(2 * SEEDS);
  }

  @Test
  void aWordThatWouldLoseShardsIsRefusedUnlessItSaysSo() {
    world.grid(3, 2, 3);
    RoundWorld.Node alone = world.start(world.disks.get(0));
    world.view(world.nodes.keySet());
    world.run(100);
    NodeId first = world.disks.get(1).users.get(0);
    NodeId second = world.disks.get(2).users.get(0);
    Set<NodeId> others = Set.of(first, second);
    assertThat(alone.round.lose(others, false)).isEqualTo(RecoveryRound.Heard.LOSES_SHARDS);
    assertThat(alone.disk.losses).isEqualTo(Losses.NONE);
    assertThat(alone.round.lose(Set.of(alone.id), true)).isEqualTo(RecoveryRound.Heard.NOT_MISSING);
    assertThat(alone.round.lose(others, true)).isEqualTo(RecoveryRound.Heard.COUNTS);
    assertThat(alone.disk.losses)
        .isEqualTo(new Losses(1, Map.of(first, 7L, second, 7L), 7, Set.of(1)));
    world.run(1_000);
    RoundMessage.Proposal agreed = alone.round.agreed();
    assertThat(agreed).isNotNull();
    assertThat(agreed.topology()).isEqualTo(7 + Losses.LEAP);
    assertThat(agreed.members()).containsExactly(alone.id);
    assertThat(agreed.owners()).containsOnly(List.of(alone.id));
    assertThat(alone.round.lose(others, true)).isEqualTo(RecoveryRound.Heard.NOT_NOW);
  }
}
