package io.canopygrid.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of a connection know all that the other one has said, although only news is said. */
final class SeenClockTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nothingThatIsSaidIsLost(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SeenClock[] sides = {new SeenClock(), new SeenClock()};
    Deque<VectorClock[]> wires0 = new ArrayDeque<>();
    Deque<VectorClock[]> wires1 = new ArrayDeque<>();
    for (int step = 0; step < 2_000; step++) {
      int side = random.nextInt(2);
      Deque<VectorClock[]> out = side == 0 ? wires0 : wires1;
      Deque<VectorClock[]> in = side == 0 ? wires1 : wires0;
      if (random.nextBoolean()) {
        VectorClock clock =
            VectorClock.of(
                new int[] {random.nextInt(4), 4 + random.nextInt(4)},
                new long[] {1 + random.nextInt(50), 1 + random.nextInt(50)});
        out.add(new VectorClock[] {clock, sides[side].toSay(clock)});
      } else if (!in.isEmpty()) {
        VectorClock[] said = in.remove();
        VectorClock known = sides[side].heard(said[1]);
        assertThat(said[0].precedesOrEquals(known)).as("seed=%d step=%d", seed, step).isTrue();
      }
    }
  }
}
