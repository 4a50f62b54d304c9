package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes with disks agree, over a network that loses messages, while they come and go. */
final class RecoveryRoundTest {
  private static final int SEEDS = Integer.getInteger("canopy.rounds", 2_000);

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
}
