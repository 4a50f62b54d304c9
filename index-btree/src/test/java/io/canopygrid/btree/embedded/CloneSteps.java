package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Cursor;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;

/** Random operations on an index and on a map, which must agree. */
@NullUnmarked // values are compared as they are
final class CloneSteps {
  private static final int KEYS = 300;

  private CloneSteps() {}

  static void step(Random random, MutableView<Long, Long> view, NavigableMap<Long, Long> expected) {
    long key = random.nextInt(KEYS);
    long end = key + 1 + random.nextInt(60);
    switch (random.nextInt(11)) {
      case 0, 1, 2 -> {
        long value = random.nextLong();
        view.put(key, value);
        expected.put(key, value);
      }
      case 3 -> {
        view.remove(key);
        expected.remove(key);
      }
      case 4 -> assertThat(view.get(key)).isEqualTo(expected.get(key));
      case 5 -> {
        Range<Long> range = Range.closedOpen(key, key + 5);
        long removed = view.removeRange(range);
        NavigableMap<Long, Long> part = expected.subMap(key, true, key + 5, false);
        assertThat(removed).isEqualTo(part.size());
        part.clear();
      }
      case 6 ->
          assertThat(view.count(Range.closedOpen(key, end)))
              .isEqualTo(expected.subMap(key, true, end, false).size());
      case 7 -> {
        assertThat(view.firstEntry()).isEqualTo(expected.firstEntry());
        assertThat(view.lastEntry()).isEqualTo(expected.lastEntry());
        assertThat(view.floorEntry(key)).isEqualTo(expected.floorEntry(key));
        assertThat(view.higherEntry(key)).isEqualTo(expected.higherEntry(key));
      }
      case 8 ->
          assertScan(
              view.scan(Range.closedOpen(key, end)),
              1 + random.nextInt(40),
              expected.subMap(key, true, end, false));
      case 9 -> writeAhead(view, key, end, random, expected);
      default ->
          assertScan(
              view.scan(Range.closedOpen(key, end)).reverse(),
              1 + random.nextInt(40),
              expected.subMap(key, true, end, false).descendingMap());
    }
  }

  /** Writes to keys that a scan has not come to: it shows them. */
  private static void writeAhead(
      MutableView<Long, Long> view,
      long from,
      long to,
      Random random,
      NavigableMap<Long, Long> expected) {
    boolean isReverse = random.nextBoolean();
    int every = 2 + random.nextInt(4);
    int step = isReverse ? -1 : 1;
    Cursor<Long, Long> scan = view.scan(Range.closedOpen(from, to));
    List<Long> seen = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : isReverse ? scan.reverse() : scan) {
      long at = entry.getKey();
      seen.add(at);
      assertThat(entry.getValue()).isEqualTo(expected.get(at));
      long next = at + 2L * step;
      if (at % every == 0 && from <= next && next < to) {
        view.remove(at + step);
        expected.remove(at + step);
        view.put(next, at);
        expected.put(next, at);
      } else if (at % every == 1) {
        long first = Math.max(from, Math.min(at + step, next));
        long end = Math.min(to, Math.max(at + step, next) + 1);
        view.removeRange(Range.closedOpen(first, Math.max(first, end)));
        expected.subMap(first, true, Math.max(first, end), false).clear();
      }
    }
    List<Long> shown = new ArrayList<>(expected.subMap(from, true, to, false).keySet());
    if (isReverse) {
      Collections.reverse(shown);
    }
    assertThat(seen).isEqualTo(shown);
  }

  private static void assertScan(Cursor<Long, Long> scan, int limit, Map<Long, Long> expected) {
    List<Long> keys = new ArrayList<>();
    List<Long> values = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : scan.limit(limit)) {
      keys.add(entry.getKey());
      values.add(entry.getValue());
    }
    assertThat(keys).isEqualTo(expected.keySet().stream().limit(limit).toList());
    assertThat(values).isEqualTo(expected.values().stream().limit(limit).toList());
  }
}
