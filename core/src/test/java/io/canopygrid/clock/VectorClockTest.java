package io.canopygrid.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock against its twin, a plain array with a number for every shard. */
final class VectorClockTest {
  private static final int SHARDS = 9;

  @Test
  void allPairsOfSmallClocks() {
    List<long[]> twins = new ArrayList<>();
    for (int i = 0; i < 3 * 3 * 3 * 3; i++) {
      twins.add(new long[] {i % 3, i / 3 % 3, i / 9 % 3, i / 27});
    }
    for (long[] a : twins) {
      for (long[] b : twins) {
        check("all", a, b);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomPairs(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      check("seed=" + seed + " i=" + i, draw(random), draw(random));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void lawsOfALattice(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      VectorClock a = clock(draw(random));
      VectorClock b = clock(draw(random));
      VectorClock c = clock(draw(random));
      String at = "seed=" + seed + " i=" + i;
      assertThat(a.join(b.join(c))).as(at).isEqualTo(a.join(b).join(c));
      assertThat(a.meet(b.meet(c))).as(at).isEqualTo(a.meet(b).meet(c));
      assertThat(a.join(a.meet(b))).as(at).isEqualTo(a);
      assertThat(a.meet(a.join(b))).as(at).isEqualTo(a);
      assertThat(a.join(b)).as(at).isEqualTo(b.join(a));
      assertThat(a.meet(b)).as(at).isEqualTo(b.meet(a));
      assertThat(a.precedesOrEquals(b)).as(at).isEqualTo(a.join(b).equals(b));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aboveKeepsTheGreaterNumbers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      long[] twin = draw(random);
      VectorClock clock = clock(twin);
      long bound = 1L << random.nextInt(50);
      for (int shard = 0; shard < twin.length; shard++) {
        twin[shard] = twin[shard] > bound ? twin[shard] : 0;
      }
      assertThat(clock.above(bound)).as("seed=%d i=%d", seed, i).isEqualTo(clock(twin));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void onKeepsTheNumbersOfSomeShards(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      long[] twin = draw(random);
      VectorClock clock = clock(twin);
      ShardSet some = ShardSet.ofWords(new long[] {random.nextLong()});
      int one = random.nextInt(64);
      for (int shard = 0; shard < twin.length; shard++) {
        twin[shard] = shard == one || some.contains(shard) ? twin[shard] : 0;
      }
      assertThat(clock.on(some, one)).as("seed=%d i=%d", seed, i).isEqualTo(clock(twin));
    }
  }

  @Test
  void nothingIsMadeWhereOneClockIsTheAnswer() {
    VectorClock low = clock(new long[] {1, 2});
    VectorClock high = clock(new long[] {1, 3, 4});
    assertThat(low.join(high)).isSameAs(high);
    assertThat(high.join(low)).isSameAs(high);
    assertThat(low.meet(high)).isSameAs(low);
    assertThat(low.with(1, 2)).isSameAs(low);
    assertThat(VectorClock.of(new int[0], new long[0])).isSameAs(VectorClock.ZERO);
    assertThat(low.meet(VectorClock.of(new int[] {7}, new long[] {1}))).isSameAs(VectorClock.ZERO);
  }

  @Test
  void refusesWhatIsNoClock() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorClock.of(new int[] {1}, new long[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorClock.of(new int[] {-1}, new long[] {1}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorClock.of(new int[] {2, 2}, new long[] {1, 1}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VectorClock.of(new int[] {1}, new long[] {0}));
    assertThatIllegalArgumentException().isThrownBy(() -> VectorClock.ZERO.with(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> VectorClock.ZERO.with(1, 0));
  }

  @Test
  void printsItsComponents() {
    assertThat(clock(new long[] {0, 0, 0, 17, 0, 2})).hasToString("{3:17, 5:2}");
    assertThat(VectorClock.ZERO).hasToString("{}");
  }

  private static void check(String at, long[] x, long[] y) {
    VectorClock a = clock(x);
    VectorClock b = clock(y);
    long[] join = new long[x.length];
    long[] meet = new long[x.length];
    boolean precedes = true;
    boolean precedesOnOdd = true;
    ShardSet odd = ShardSet.EMPTY;
    for (int s = 0; s < x.length; s++) {
      join[s] = Math.max(x[s], y[s]);
      meet[s] = Math.min(x[s], y[s]);
      precedes &= x[s] <= y[s];
      if (s % 2 == 1) {
        odd = odd.with(s);
        precedesOnOdd &= x[s] <= y[s];
      }
      assertThat(a.get(s)).as(at).isEqualTo(x[s]);
    }
    assertThat(a.join(b)).as("%s: %s join %s", at, a, b).isEqualTo(clock(join));
    assertThat(a.meet(b)).as("%s: %s meet %s", at, a, b).isEqualTo(clock(meet));
    assertThat(a.precedesOrEquals(b)).as("%s: %s <= %s", at, a, b).isEqualTo(precedes);
    assertThat(a.precedesOrEqualsOn(odd, b))
        .as("%s: %s <= %s on %s", at, a, b, odd)
        .isEqualTo(precedesOnOdd);
    assertThat(a.equals(b)).as(at).isEqualTo(java.util.Arrays.equals(x, y));
    assertThat(a).as(at).hasSameHashCodeAs(rebuilt(a));
  }

  private static VectorClock rebuilt(VectorClock clock) {
    int[] shards = new int[clock.size()];
    long[] numbers = new long[clock.size()];
    for (int i = 0; i < shards.length; i++) {
      shards[i] = clock.shardAt(i);
      numbers[i] = clock.numberAt(i);
    }
    VectorClock same = VectorClock.of(shards, numbers);
    assertThat(same).isEqualTo(clock);
    return same;
  }

  /** Built one component after the other, from the back, so that with() inserts everywhere. */
  private static VectorClock clock(long[] numbers) {
    VectorClock clock = VectorClock.ZERO;
    for (int s = numbers.length - 1; s >= 0; s--) {
      if (numbers[s] > 0) {
        clock = clock.with(s, 9).with(s, numbers[s]);
      }
    }
    return clock;
  }

  private static long[] draw(SplittableRandom random) {
    long[] numbers = new long[SHARDS];
    for (int s = 0; s < SHARDS; s++) {
      numbers[s] = random.nextInt(3) == 0 ? 0 : random.nextLong(1, 2L << random.nextInt(50));
    }
    return numbers;
  }
}
