package io.canopygrid.gmu.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Version chains against a list. */
final class VersionChainTest {
  private static final int SHARD = 0;

  private record Version(long number, TxId tid, VectorClock clock, byte @Nullable [] value) {
    static final Comparator<Version> NEWEST_FIRST =
        Comparator.comparingLong(Version::number).thenComparing(Version::tid).reversed();

    VersionChain chain() {
      return VersionChain.of(tid, tid, number, clock, value);
    }
  }

  private static TxId tid(long counter) {
    return new TxId(new NodeId(1), counter);
  }

  private static VectorClock clock(long own, long other) {
    VectorClock clock = VectorClock.ZERO.with(SHARD, own);
    return other == 0 ? clock : clock.with(1, other);
  }

  @Test
  void behavesLikeAListInWhateverOrderVersionsCome() {
    for (long seed = 0; seed < 500; seed++) {
      SeededRandom random = new SeededRandom(seed);
      List<Version> twin = new ArrayList<>();
      VersionChain chain = null;
      for (int step = 0; step < 30; step++) {
        long number = random.between(1, 12);
        VectorClock clock = clock(number, random.below(12));
        byte[] value = random.chance(0.3) ? null : new byte[] {(byte) number};
        Version version = new Version(number, tid(number), clock, value);
        if (twin.stream().noneMatch(v -> v.number == number)) {
          twin.add(version);
          twin.sort(Version.NEWEST_FIRST);
        }
        chain = VersionChain.install(chain, version.chain());
        chain.check();
        assertThat(numbers(chain)).as("seed %s", seed).isEqualTo(numbers(twin));
        checkVisible(chain, twin, random, seed);
      }
    }
  }

  private static void checkVisible(
      VersionChain chain, List<Version> twin, SeededRandom random, long seed) {
    VectorClock snapshot = clock(random.between(1, 12), random.below(12));
    ShardSet hasRead = ShardSet.EMPTY.with(SHARD);
    hasRead = random.chance(0.5) ? hasRead.with(1) : hasRead;
    VersionChain visible = chain.visibleTo(snapshot, hasRead);
    Version expected = null;
    for (int i = twin.size() - 1; i >= 0; i--) {
      if (twin.get(i).clock.precedesOrEqualsOn(hasRead, snapshot)) {
        expected = twin.get(i);
      }
    }
    assertThat(visible == null ? null : visible.tid())
        .as("seed %s", seed)
        .isEqualTo(expected == null ? null : expected.tid);
  }

  @Test
  void mergesTwoChainsLikeLists() {
    for (long seed = 0; seed < 300; seed++) {
      SeededRandom random = new SeededRandom(seed);
      VersionChain a = null;
      VersionChain b = null;
      List<Long> all = new ArrayList<>();
      for (long number = 12; number >= 1; number--) {
        int where = random.below(4);
        Version version = new Version(number, tid(number), clock(number, 0), new byte[0]);
        a = (where & 1) == 0 ? a : VersionChain.install(a, version.chain());
        b = (where & 2) == 0 ? b : VersionChain.install(b, version.chain());
        if (where > 0) {
          all.add(number);
        }
      }
      if (b != null) {
        VersionChain merged = VersionChain.install(a, b);
        merged.check();
        assertThat(numbers(merged)).as("seed %s", seed).isEqualTo(all);
        assertThat(VersionChain.install(merged, b)).as("seed %s", seed).isSameAs(merged);
      }
    }
  }

  @Test
  void prunesUnderTheNewestVersionBelowTheHorizon() {
    VersionChain chain = null;
    for (long number = 1; number <= 5; number++) {
      chain =
          VersionChain.install(
              chain,
              VersionChain.of(tid(number), tid(number), number, clock(number, number), null));
    }
    assertThat(chain).isNotNull();
    VersionChain pruned = chain.prune(clock(3, 9));
    assertThat(pruned).isNotNull();
    assertThat(numbers(pruned)).containsExactly(5L, 4L, 3L);
    assertThat(pruned.oldest().clock()).isEqualTo(VectorClock.ZERO);
    assertThat(pruned.prune(clock(3, 9))).isSameAs(pruned);
    // One component too low: nothing is below the horizon.
    assertThat(chain.prune(clock(3, 0))).isSameAs(chain);
  }

  @Test
  void aTombstoneGoesOnlyWhenItIsAloneAndBelowTheHorizon() {
    VersionChain value = VersionChain.of(tid(1), tid(1), 1, clock(1, 0), new byte[] {1});
    VersionChain deleted =
        VersionChain.install(value, VersionChain.of(tid(2), tid(2), 2, clock(2, 0), null));
    assertThat(numbers(deleted.prune(clock(1, 0)))).containsExactly(2L, 1L);
    assertThat(deleted.prune(clock(2, 0))).isNull();
    assertThat(numbers(value.prune(clock(2, 0)))).containsExactly(1L);
  }

  @Test
  void aVersionAtRestKeepsWhoWroteItAndTakesANewerOneOnTop() {
    for (TxId writer : List.of(tid(1), tid(7))) {
      VersionChain old = VersionChain.of(tid(1), writer, 1, clock(1, 0), new byte[] {5});
      VersionChain settled = old.prune(clock(2, 0));
      assertThat(settled).isNotNull();
      assertThat(settled.tid()).isEqualTo(tid(1));
      assertThat(settled.writer()).isEqualTo(writer);
      assertThat(settled.seen()).isEqualTo(old.seen());
      assertThat(settled.value()).containsExactly(5);
      assertThat(settled.clock()).isEqualTo(VectorClock.ZERO);
      assertThat(settled.prune(clock(3, 0))).isSameAs(settled);

      VersionChain newer =
          VersionChain.install(
              settled, VersionChain.of(tid(2), tid(2), 2, clock(2, 0), new byte[] {6}));
      newer.check();
      assertThat(numbers(newer)).containsExactly(2L, 1L);
      assertThat(VersionChain.install(newer, old)).isSameAs(newer);
      assertThat(newer.older()).isSameAs(settled);
    }
  }

  @Test
  void aChainOutOfOrderIsRefused() {
    VersionChain newer = VersionChain.of(tid(2), tid(2), 2, clock(2, 0), null);
    assertThatThrownBy(() -> VersionChain.of(tid(1), tid(1), 1, clock(1, 0), null, newer))
        .isInstanceOf(InvariantViolation.class);
  }

  private static List<Long> numbers(@Nullable VersionChain chain) {
    List<Long> numbers = new ArrayList<>();
    for (VersionChain v = chain; v != null; v = v.older()) {
      numbers.add(v.sequenceNumber());
    }
    return numbers;
  }

  private static List<Long> numbers(List<Version> versions) {
    return versions.stream().map(Version::number).toList();
  }

  @Test
  void aVersionThatEverySnapshotSeesCanLeaveItsValueOnTheDisk() {
    byte[] value = {1, 2, 3};
    VersionChain sole = VersionChain.of(tid(1), tid(2), 5, VectorClock.ZERO, value);
    assertThat(sole.canBeCold()).isTrue();
    VersionChain cold = sole.cold();
    assertThat(cold.isCold()).isTrue();
    assertThat(cold.canBeCold()).isFalse();
    assertThat(cold.size()).isEqualTo(3);
    assertThat(cold.isTombstone()).isFalse();
    assertThat(cold.seen()).isEqualTo(sole.seen());
    assertThat(cold.tid()).isEqualTo(tid(1));
    assertThat(cold.prune(clock(9, 9))).isSameAs(cold);
    assertThatThrownBy(cold::value).isInstanceOf(IllegalStateException.class);
    assertThat(cold.warm(value).value()).isEqualTo(value);
    assertThatThrownBy(() -> cold.warm(new byte[2])).isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> sole.warm(value)).isInstanceOf(InvariantViolation.class);
  }

  @Test
  void aVersionThatSomeSnapshotsDoNotSeeKeepsItsValue() {
    VersionChain recent = VersionChain.of(tid(1), tid(1), 5, clock(5, 0), new byte[] {1});
    VersionChain tombstone = VersionChain.of(tid(1), tid(1), 5, VectorClock.ZERO, null);
    assertThat(recent.canBeCold()).isFalse();
    assertThat(tombstone.canBeCold()).isFalse();
    assertThatThrownBy(recent::cold).isInstanceOf(InvariantViolation.class);
  }

  @Test
  void aChainIsWarmedWithTheValueOfItsLowestVersion() {
    byte[] value = {7};
    VersionChain cold = VersionChain.cold(tid(1), tid(1), 5, 1);
    Version newer = new Version(6, tid(6), clock(6, 0), new byte[] {6});
    VersionChain chain = VersionChain.install(cold, newer.chain());
    assertThat(chain.hasCold()).isTrue();
    VersionChain warm = Objects.requireNonNull(chain.warmed(v -> value));
    assertThat(numbers(warm)).containsExactly(6L, 5L);
    assertThat(warm.oldest().value()).isEqualTo(value);
    assertThat(warm.warmed(v -> null)).isSameAs(warm);
    VersionChain without = chain.warmed(v -> null);
    assertThat(numbers(without)).as("its cold version is gone").containsExactly(6L);
    assertThat(cold.warmed(v -> null)).isNull();
    assertThat(chain.prune(clock(6, 0)))
        .satisfies(pruned -> {
          assertThat(numbers(pruned)).containsExactly(6L);
          assertThat(pruned.canBeCold()).isTrue();
        });
  }

  /** A state has values, and what is below a version that every snapshot sees is garbage. */
  @Test
  void versionsOfAnotherCopyAreInstalledOnAColdOne() {
    VersionChain cold = VersionChain.cold(tid(5), tid(5), 5, 1);
    VersionChain same = VersionChain.of(tid(5), tid(5), 5, VectorClock.ZERO, new byte[] {5});
    assertThat(VersionChain.install(cold, same).value()).containsExactly(5);
    VersionChain older = new Version(4, tid(4), clock(4, 0), new byte[] {4}).chain();
    assertThat(VersionChain.install(cold, older)).isSameAs(cold);
  }
}
