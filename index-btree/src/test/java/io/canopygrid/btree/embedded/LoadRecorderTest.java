package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Subtree;
import io.canopygrid.btree.balance.Reshaping.Ending;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.OwnUse;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node reports the use of its subtrees; the test alone moves the clock. */
final class LoadRecorderTest {
  private static final double MEMORY_SECONDS = 2;
  private static final int ENTRIES = 40;

  private final TestGrid grid = TestGrid.standalone(16);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Index<Long, String> index = db.index("used", Codec.int64(), Codec.string());
  private final HandClock clock = new HandClock();
  private LoadRecorder recorder;

  /** The machine's threads, with a time of its own. */
  private static final class HandClock implements NodeThreads {
    private long nanos;

    void advance(long millis) {
      nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void sleep(long nanosMost) {
      throw new AssertionError("a recorder does not wait");
    }

    @Override
    public long random(long bound) {
      throw new AssertionError("a recorder is given its chance");
    }

    @Override
    public Pool pool(String name, int threadsMax, int waitingMax) {
      throw new AssertionError("a recorder has no threads");
    }

    @Override
    public Worker worker(String name, int waitingMax) {
      throw new AssertionError("a recorder has no thread");
    }
  }

  @BeforeEach
  void fill() {
    db.run(tx -> {
      for (long key = 0; key < ENTRIES; key++) {
        tx.on(index).put(key, "value");
      }
    });
    GmuNode node = grid.node(0);
    recorder =
        new LoadRecorder(
            new ForwardingNode() {
              @Override
              protected GmuNode node() {
                return node;
              }

              @Override
              public NodeThreads threads() {
                return clock;
              }
            },
            bound -> 0,
            MEMORY_SECONDS);
    recorder.look();
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private SubtreeLoad only() {
    List<SubtreeLoad> loads = recorder.look().served();
    assertThat(loads).hasSize(1);
    return loads.get(0);
  }

  private void get(long key) {
    boolean found = db.<Boolean, RuntimeException>read(tx -> "value".equals(tx.on(index).get(key)));
    assertThat(found).isTrue();
  }

  /** The same use for some seconds. */
  private void use(int seconds, Runnable perSecond) {
    for (int second = 0; second < seconds; second++) {
      perSecond.run();
      clock.advance(1_000);
      recorder.look();
    }
  }

  @Test
  void aSteadyUseIsTheRateFromTheFirstLookOn() {
    Runnable steady =
        () -> {
          for (long key = 0; key < 12; key++) {
            get(key);
          }
          db.run(tx -> tx.on(index).put(3L, "value"));
          db.run(tx -> tx.on(index).remove(1_000L));
        };
    for (int seconds = 1; seconds <= 5; seconds++) {
      use(1, steady);
      SubtreeLoad load = only();
      assertThat(load.readsPerSecond()).isEqualTo(12, within(1e-9));
      assertThat(load.writesPerSecond()).isEqualTo(2, within(1e-9));
      assertThat(load.perSecond()).isEqualTo(20, within(1e-9));
      assertThat(load.seenMillis()).isEqualTo(1_000L * seconds);
      assertThat(load.entries()).isEqualTo(ENTRIES);
    }
  }

  @Test
  void whatIsOverIsForgottenWithItsAge() {
    use(20, () -> get(1));
    double before = only().readsPerSecond();
    use((int) MEMORY_SECONDS, () -> {});
    assertThat(only().readsPerSecond()).isEqualTo(before / Math.E, within(0.01 * before));
    use(20, () -> {});
    assertThat(only().readsPerSecond()).isLessThan(0.001 * before);
  }

  @Test
  void whatIsSeenForLongIsKnownBetter() {
    use(1, () -> get(1));
    double first = only().variance(MEMORY_SECONDS);
    use(20, () -> get(1));
    double later = only().variance(MEMORY_SECONDS);
    // One read per second, in a second and in as good as two memories.
    assertThat(first).isEqualTo(1, within(0.05));
    assertThat(later).isEqualTo(1 / (2 * MEMORY_SECONDS), within(0.01));
  }

  @Test
  void aPageCountsByItsEntriesAndACountByFewerOfThem() {
    use(
        1,
        () -> {
          int found =
              db.read(tx -> {
                try (var cursor = tx.on(index).scan().limit(33)) {
                  return (int) cursor.stream().count();
                }
              });
          assertThat(found).isEqualTo(33);
        });
    assertThat(only().readsPerSecond()).as("one page").isEqualTo(1 + 33 / 16, within(1e-9));
    use(40, () -> {});
    use(
        1,
        () -> {
          for (int i = 0; i < 5; i++) {
            long found = db.read(tx -> tx.on(index).count(Range.all()));
            assertThat(found).isEqualTo(ENTRIES);
          }
        });
    double ofOneSecond = only().readsPerSecond() / (1 - Math.exp(-1 / MEMORY_SECONDS));
    assertThat(ofOneSecond).isEqualTo(5, within(0.01));
  }

  @Test
  void aSubtreeWithAnotherRangeIsCountedAnew() throws TimeoutException {
    use(
        5,
        () -> {
          for (long key = 0; key < ENTRIES; key++) {
            get(key);
          }
        });
    SubtreeLoad whole = only();
    assertThat(whole.cuts())
        .hasSize(SubtreeLoad.CUTS_MAX)
        .isSortedAccordingTo(Keys.ORDER)
        .contains(Codec.int64().encode(20L));
    assertThat(db.reshaping().split(whole.kcl())).isEqualTo(Ending.DONE);
    List<SubtreeLoad> halves = recorder.look().served();
    assertThat(halves).hasSize(2);
    assertThat(halves).extracting(SubtreeLoad::entries).containsExactly(20L, 20L);
    assertThat(halves).extracting(SubtreeLoad::seenMillis).containsExactly(0L, 0L);
    use(1, () -> get(1));
    halves = recorder.look().served();
    assertThat(halves).extracting(SubtreeLoad::kcl).first().isEqualTo(whole.kcl());
    assertThat(halves.get(0).readsPerSecond()).isEqualTo(1, within(1e-9));
    assertThat(halves.get(1).readsPerSecond()).isZero();
    byte[] boundary = Codec.int64().encode(20L);
    assertThat(halves.get(0).cuts())
        .as("only keys that it still has")
        .isNotEmpty()
        .allMatch(cut -> Keys.ORDER.compare(cut, boundary) < 0);
  }

  @Test
  void aSubtreeThatIsGoneIsForgotten() throws TimeoutException {
    long first = only().kcl();
    assertThat(db.reshaping().split(first)).isEqualTo(Ending.DONE);
    assertThat(recorder.look().served()).hasSize(2);
    assertThat(db.reshaping().merge(first, false)).isEqualTo(Ending.DONE);
    assertThat(only().kcl()).isNotEqualTo(first);
    assertThat(only().entries()).isEqualTo(ENTRIES);
  }

  @Test
  void theUseOfOwnCallersIsToldAndForgotten() {
    long kcl = only().kcl();
    OwnUse own = recorder.hearOwnUse();
    own.read(kcl, 3);
    own.wrote(kcl);
    own.wrote(kcl);
    own.read(0, 5);
    own.wrote(kcl + 1);
    clock.advance(1_000);
    assertThat(recorder.look().uses())
        .as("no subtree's kcl, and one that there is not, are not told")
        .isEqualTo(Map.of(kcl, 3.0 + 2 * Subtree.WRITE_WEIGHT));
    use(1, () -> own.read(kcl, 11));
    assertThat(recorder.look().uses().get(kcl)).isEqualTo(11, within(1e-9));
    use(60, () -> {});
    assertThat(recorder.look().uses()).isEmpty();
  }

  /** The rate is not that since the subtree's first use. */
  @Test
  void oneUseJustBeforeALookIsNoRate() {
    long kcl = only().kcl();
    OwnUse own = recorder.hearOwnUse();
    recorder.look();
    clock.advance(999);
    own.read(kcl, 1);
    clock.advance(1);
    assertThat(recorder.look().uses().get(kcl)).isEqualTo(1, within(1e-9));
    use(60, () -> {});
    assertThat(recorder.look().uses()).isEmpty();
    clock.advance(999);
    own.read(kcl, 1);
    clock.advance(1);
    assertThat(recorder.look().uses().get(kcl)).isLessThan(1);
  }

  @Test
  void manySubtreesAreCountedApart() throws TimeoutException {
    db.run(tx -> {
      for (long key = ENTRIES; key < 600; key++) {
        tx.on(index).put(key, "value");
      }
    });
    // More than the table of counters has room for at first.
    for (int round = 0; round < 7; round++) {
      for (SubtreeLoad load : recorder.look().served()) {
        if (load.entries() > 4) {
          assertThat(db.reshaping().split(load.kcl())).isEqualTo(Ending.DONE);
        }
      }
    }
    int subtrees = recorder.look().served().size();
    assertThat(subtrees).isGreaterThan(100);
    use(
        1,
        () -> {
          for (long key = 0; key < 600; key++) {
            get(key);
          }
        });
    assertThat(recorder.look().served())
        .hasSize(subtrees)
        .allSatisfy(load ->
            assertThat(load.readsPerSecond()).isEqualTo((double) load.entries(), within(1e-9)));
  }
}
