package io.canopygrid.btree.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Seen;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Locks hold all that a transaction has used, and redo logs say what they were given. */
@NullUnmarked // values are there
final class LockPlanTest {
  private static final long SUBTREE = 1L << 40;

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static boolean isHeld(List<KeyLock> locks, boolean writes, byte[] key) {
    return locks.stream().anyMatch(lock -> lock.writes() == writes && lock.contains(key));
  }

  @Test
  void allThatIsUsedIsHeldByFewLocks() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<KeyRead> reads = new ArrayList<>();
      List<RangeRead> ranges = new ArrayList<>();
      List<Write> writes = new ArrayList<>();
      for (int i = random.nextInt(random.nextBoolean() ? 5 : 200); i >= 0; i--) {
        int key = random.nextInt(1_000);
        switch (random.nextInt(3)) {
          case 0 -> reads.add(new KeyRead(EntryKeys.of(SUBTREE, key(key)), Seen.ABSENT));
          case 1 -> writes.add(new Write(EntryKeys.of(SUBTREE, key(key)), null, null));
          default -> {
            byte[] end =
                random.nextInt(9) == 0 ? null : EntryKeys.ku(key(key + 1 + random.nextInt(9)));
            ranges.add(new RangeRead(SUBTREE, EntryKeys.ku(key(key)), end, List.of()));
          }
        }
      }
      Map<Long, List<KeyLock>> plan = LockPlan.of(7, new Footprint(reads, ranges, writes));
      List<KeyLock> locks = plan.getOrDefault(SUBTREE, List.of());
      assertThat(locks).as("seed %s", seed).hasSizeLessThanOrEqualTo(2 * LockPlan.LOCKS_MAX);
      for (KeyRead read : reads) {
        assertThat(isHeld(locks, false, EntryKeys.userKey(read.key())))
            .as("seed %s", seed)
            .isTrue();
      }
      for (Write write : writes) {
        assertThat(isHeld(locks, true, EntryKeys.userKey(write.key())))
            .as("seed %s", seed)
            .isTrue();
      }
      for (RangeRead range : ranges) {
        byte[] end = range.to();
        byte[] from = EntryKeys.userKey(range.from());
        assertThat(isHeld(locks, false, from)).as("seed %s", seed).isTrue();
        int last = end == null ? 5_000 : ByteBuffer.wrap(EntryKeys.userKey(end)).getInt() - 1;
        for (int key = ByteBuffer.wrap(from).getInt(); key <= last; key++) {
          assertThat(isHeld(locks, false, key(key))).as("seed %s, key %s", seed, key).isTrue();
        }
      }
    }
  }

  @Test
  void aLogSaysWhatItWasGiven() {
    SortedMap<Integer, List<KeyLock>> locks = new TreeMap<>();
    locks.put(3, List.of(KeyLock.of(7, true, key(1), key(2)), KeyLock.of(7, false, key(5), null)));
    List<RedoLog.Redo> redo =
        List.of(
            new RedoLog.Redo(3, key(1), new byte[] {1, 2}),
            new RedoLog.Redo(3, key(2), new byte[0]),
            new RedoLog.Redo(4, key(3), null));
    List<Write> writes = RedoLog.writes(99, 7, locks, redo);
    assertThat(RedoLog.locks(writes.get(0).value())).isEqualTo(locks);
    for (int i = 0; i < redo.size(); i++) {
      RedoLog.Redo read = RedoLog.redo(writes.get(i + 1).value());
      assertThat(read.index()).isEqualTo(redo.get(i).index());
      assertThat(read.key()).isEqualTo(redo.get(i).key());
      assertThat(read.value()).isEqualTo(redo.get(i).value());
    }
  }
}
