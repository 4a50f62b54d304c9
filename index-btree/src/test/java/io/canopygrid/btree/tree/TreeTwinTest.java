package io.canopygrid.btree.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Long random runs against a TreeMap; the whole tree is checked after every write. */
final class TreeTwinTest {
  private static final int STEPS = 4_000;
  private static final int VIEWS_MAX = 12;

  private static Stream<Arguments> arityAndFamily() {
    return IntStream.of(4, 5, 8, 16, 64)
        .boxed()
        .flatMap(
            arity -> Arrays.stream(KeyFamily.values()).map(family -> Arguments.of(arity, family)));
  }

  @ParameterizedTest(name = "arity {0}, keys {1}")
  @MethodSource("arityAndFamily")
  void equalsTreeMap(int arity, KeyFamily family) {
    long seed = 31L * arity + family.name().hashCode();
    int range = 30 * arity;
    run(seed, new TreeTwin(arity), family, range, STEPS);
  }

  /** As deep as the others at the arity that is used. */
  @ParameterizedTest(name = "arity {0}")
  @MethodSource("wideArities")
  void equalsTreeMapWhereNodesAreWide(int arity) {
    TreeTwin twin = new TreeTwin(arity);
    SplittableRandom random = new SplittableRandom(arity);
    for (int i = 0; i < arity * arity && twin.height() < 2; i++) {
      twin.put(KeyFamily.STORE.next(random, Integer.MAX_VALUE), 0);
    }
    assertThat(twin.height()).as("height").isEqualTo(2);
    run(arity, twin, KeyFamily.STORE, Integer.MAX_VALUE, STEPS);
  }

  private static IntStream wideArities() {
    return IntStream.of(16, 33, 64);
  }

  private static void run(long seed, TreeTwin twin, KeyFamily family, int range, int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    int step = 0;
    try {
      for (; step < steps; step++) {
        boolean growing = step % (steps / 2) < steps / 4;
        step(random, twin, family.next(random, range), growing, step);
        if (random.nextInt(50) == 0) {
          twin.keepView(step);
          twin.keepAtMost(VIEWS_MAX);
        }
      }
      twin.checkKeptViews();
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError("seed=" + seed + " step=" + step, failure);
    }
  }

  private static void step(
      SplittableRandom random, TreeTwin twin, byte[] key, boolean growing, int step) {
    byte[] present = twin.presentKeyNear(key);
    int dice = random.nextInt(100);
    if (dice < (growing ? 70 : 15)) {
      twin.put(key, step);
    } else if (dice < 80) {
      twin.remove(present == null || random.nextInt(8) == 0 ? key : present);
    } else if (dice < 85) {
      twin.put(present == null ? key : present.clone(), step);
    } else if (dice < 90) {
      twin.get(present == null ? key : present.clone());
      twin.get(key);
    } else if (dice < 95) {
      twin.scanUp(key, random.nextInt(100));
    } else {
      twin.scanDown(random.nextInt(8) == 0 ? null : key, random.nextInt(100));
    }
  }
}
