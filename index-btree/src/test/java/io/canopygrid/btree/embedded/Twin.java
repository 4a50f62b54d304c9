package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.check.IndexCheck;
import java.time.Duration;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * An index and a {@link TreeMap} that are told the same, at random. Each step is one transaction
 * through one of the handles, and compares every answer.
 */
@NullUnmarked // bodies return null, and answers are compared as they are
final class Twin {
  private final long seed;
  private final Random random;
  private final TestGrid grid;
  private final List<Index<Integer, String>> indexes = new ArrayList<>();
  private final int keys;
  private TreeMap<Integer, String> twin = new TreeMap<>();
  private CausalToken seen = CausalToken.NONE;
  private int step;

  Twin(long seed, TestGrid grid, int subtreeEntriesMax, int keys) {
    this.seed = seed;
    this.random = new Random(seed);
    this.grid = grid;
    this.keys = keys;
    IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(subtreeEntriesMax);
    for (int i = 0; i < grid.size(); i++) {
      indexes.add(grid.handle(i).index("twin", Codec.int32(), Codec.string(), options));
    }
  }

  /** A caller's own exception. */
  private static final class ChangedMind extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Runs some steps and checks the whole index after each; what the last check found. */
  IndexCheck.Report run(int steps) {
    IndexCheck.Report report = new IndexCheck.Report(0, 0, 0, 0);
    for (int i = 0; i < steps; i++) {
      step++;
      int at = random.nextInt(grid.size());
      if (random.nextInt(4) == 0) {
        readStep(grid.handle(at), indexes.get(at));
      } else {
        updateStep(grid.handle(at), indexes.get(at));
      }
      seen = seen.join(grid.handle(at).token());
      report = grid.handle(at).check(indexes.get(at), Duration.ofSeconds(20));
    }
    return report;
  }

  /** All entries through each handle. */
  void compareAll() {
    for (int i = 0; i < grid.size(); i++) {
      Index<Integer, String> index = indexes.get(i);
      grid.handle(i)
          .read(
              TransactionOptions.DEFAULTS.withAfter(seen),
              tx -> {
                try (Cursor<Integer, String> all = tx.on(index).scan()) {
                  assertThat(all.stream().toList()).as(where()).isEqualTo(entries(twin));
                }
                return null;
              });
    }
  }

  private void updateStep(EmbeddedCanopy db, Index<Integer, String> index) {
    long bodySeed = random.nextLong();
    try {
      twin =
          db.call(
              TransactionOptions.DEFAULTS.withAfter(seen),
              tx -> {
                Random choices = new Random(bodySeed);
                TreeMap<Integer, String> working = new TreeMap<>(twin);
                MutableView<Integer, String> view = tx.on(index);
                int operations = 1 + choices.nextInt(6);
                for (int i = 0; i < operations; i++) {
                  if (choices.nextInt(3) == 0) {
                    read(choices, view, working);
                  } else {
                    write(choices, view, working);
                  }
                }
                if (choices.nextInt(10) == 0) {
                  throw new ChangedMind();
                }
                return working;
              });
    } catch (ChangedMind e) {
      assertThat(e).as(where()).hasNoCause();
    }
  }

  private void readStep(EmbeddedCanopy db, Index<Integer, String> index) {
    long bodySeed = random.nextLong();
    db.read(
        TransactionOptions.DEFAULTS.withAfter(seen),
        tx -> {
          Random choices = new Random(bodySeed);
          for (int i = 0; i < 4; i++) {
            read(choices, tx.on(index), twin);
          }
          return null;
        });
  }

  private void write(
      Random choices, MutableView<Integer, String> view, NavigableMap<Integer, String> map) {
    int key = key(choices);
    String value = "v" + choices.nextInt(1_000);
    switch (choices.nextInt(12)) {
      case 0, 1, 2, 3 -> {
        view.put(key, value);
        map.put(key, value);
      }
      case 4, 5 -> {
        view.remove(key);
        map.remove(key);
      }
      case 6 -> same(view.putIfAbsent(key, value), map.putIfAbsent(key, value));
      case 7 -> same(view.replace(key, value), map.replace(key, value));
      case 8 -> {
        String expected = choices.nextBoolean() ? map.getOrDefault(key, "none") : "other";
        same(view.replace(key, expected, value), map.replace(key, expected, value));
      }
      case 9 ->
          same(
              view.compute(key, (k, v) -> computed(v, value)),
              map.compute(key, (k, v) -> computed(v, value)));
      case 10 ->
          same(
              view.merge(key, value, (a, b) -> a.length() > 4 ? null : a + b),
              map.merge(key, value, (a, b) -> a.length() > 4 ? null : a + b));
      default -> {
        int to = key + choices.nextInt(8);
        NavigableMap<Integer, String> part = map.subMap(key, true, to, true);
        same(view.removeRange(Range.closed(key, to)), (long) part.size());
        part.clear();
      }
    }
  }

  private static @Nullable String computed(@Nullable String old, String value) {
    return old == null ? value : old.length() > 4 ? null : old + "!";
  }

  private void read(
      Random choices, ReadView<Integer, String> view, NavigableMap<Integer, String> map) {
    int key = key(choices);
    switch (choices.nextInt(10)) {
      case 0, 1 -> same(view.get(key), map.get(key));
      case 2 -> same(view.containsKey(key), map.containsKey(key));
      case 3 -> same(view.floorEntry(key), map.floorEntry(key));
      case 4 -> same(view.lowerEntry(key), map.lowerEntry(key));
      case 5 -> same(view.ceilingEntry(key), map.ceilingEntry(key));
      case 6 -> same(view.higherEntry(key), map.higherEntry(key));
      case 7 -> {
        same(view.firstEntry(), map.firstEntry());
        same(view.lastEntry(), map.lastEntry());
      }
      case 8 -> {
        int to = key + choices.nextInt(keys);
        same(view.count(Range.closedOpen(key, to)), (long) map.subMap(key, true, to, false).size());
      }
      default -> scan(choices, view, map);
    }
  }

  private void scan(
      Random choices, ReadView<Integer, String> view, NavigableMap<Integer, String> map) {
    int from = key(choices);
    int to = from + choices.nextInt(keys);
    boolean fromInclusive = choices.nextBoolean();
    boolean toInclusive = choices.nextBoolean();
    boolean reverse = choices.nextBoolean();
    int limit = choices.nextBoolean() ? Integer.MAX_VALUE : choices.nextInt(20);
    NavigableMap<Integer, String> part = map.subMap(from, fromInclusive, to + 1, toInclusive);
    NavigableMap<Integer, String> turned = reverse ? part.descendingMap() : part;
    Range<Integer> range = Range.between(from, fromInclusive, to + 1, toInclusive);
    try (Cursor<Integer, String> cursor = view.scan(range).limit(limit)) {
      Cursor<Integer, String> directed = reverse ? cursor.reverse() : cursor;
      same(directed.stream().toList(), entries(turned).stream().limit(limit).toList());
    }
  }

  private int key(Random choices) {
    return choices.nextInt(keys);
  }

  private static List<Map.Entry<Integer, String>> entries(Map<Integer, String> map) {
    List<Map.Entry<Integer, String>> entries = new ArrayList<>();
    map.forEach((key, value) -> entries.add(new SimpleEntry<>(key, value)));
    return entries;
  }

  private void same(@Nullable Object actual, @Nullable Object expected) {
    assertThat(actual).as(where()).isEqualTo(expected);
  }

  private String where() {
    return "seed " + seed + " step " + step;
  }
}
