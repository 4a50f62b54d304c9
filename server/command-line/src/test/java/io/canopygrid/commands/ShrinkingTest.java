package io.canopygrid.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulationOptions;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ShrinkingTest {
  private static final SimulationOptions START = SimulationOptions.DEFAULT.with(SimulatedFault.ALL);

  @Test
  void keepsWhatIsNeededToFail() {
    SimulationOptions smallest =
        new Shrinking(o ->
            o.faults().contains(SimulatedFault.CRASH) && o.sessions() >= 3 && o.transactions() >= 5)
            .of(START);

    assertThat(smallest.faults()).isEqualTo(Set.of(SimulatedFault.CRASH));
    assertThat(smallest.sessions()).isEqualTo(3);
    assertThat(smallest.transactions()).isEqualTo(5);
    assertThat(smallest.nodes()).isEqualTo(START.nodes());
  }

  @Test
  void goesDownToOneOfEach() {
    SimulationOptions smallest = new Shrinking(any -> true).of(START);

    assertThat(smallest.faults()).isEmpty();
    assertThat(smallest.sessions()).isEqualTo(1);
    assertThat(smallest.transactions()).isEqualTo(1);
  }

  @Test
  void leavesWhatFailsOnlyAsItIs() {
    assertThat(new Shrinking(START::equals).of(START)).isEqualTo(START);
  }
}
