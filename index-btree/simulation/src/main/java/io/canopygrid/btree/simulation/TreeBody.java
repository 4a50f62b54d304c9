package io.canopygrid.btree.simulation;

import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The steps of one attempt: random reads, scans and writes, each of which is logged. */
final class TreeBody {
  private final SimulatedGrid grid;
  private final SeededRandom random;
  private final TreeWorld world;
  private final TreeLog log;
  private final Attempt attempt;
  private final EmbeddedCanopy db;

  TreeBody(
      SimulatedGrid grid,
      SeededRandom random,
      TreeWorld world,
      TreeLog log,
      Attempt attempt,
      EmbeddedCanopy db) {
    this.grid = grid;
    this.random = random;
    this.world = world;
    this.log = log;
    this.attempt = attempt;
    this.db = db;
  }

  void read(ReadTransaction tx) {
    for (int i = random.oneOf(1, 2, 3, 4); i > 0; i--) {
      int index = world.anyIndex(random);
      ReadView<Long, Long> view = tx.on(world.open(db, index));
      if (random.chance(0.5)) {
        get(index, view, world.anyKey(random));
      } else {
        scan(index, view);
      }
      pause();
    }
  }

  void update(Transaction tx) {
    for (int i = random.oneOf(1, 1, 2, 3, 4); i > 0; i--) {
      int index = world.anyIndex(random);
      Index<Long, Long> opened = world.open(db, index);
      MutableView<Long, Long> view = tx.on(opened);
      long key = world.anyKey(random);
      switch (random.below(8)) {
        case 0 -> get(index, view, key);
        case 1, 2 -> scan(index, view);
        case 3 -> remove(index, view, key);
        case 4, 5 -> put(index, view, key);
        default -> {
          get(index, view, key);
          if (random.chance(0.8)) {
            put(index, view, key);
          } else {
            remove(index, view, key);
          }
        }
      }
      pause();
    }
    // By its value the run's recorder knows the attempt.
    if (!attempt.writes.containsValue(true)) {
      int index = world.anyIndex(random);
      put(index, tx.on(world.open(db, index)), world.anyKey(random));
    }
  }

  private void pause() {
    int units = random.oneOf(0, 0, 1, 5, 40);
    if (units > 0) {
      grid.sleep(units);
    }
  }

  private void put(int index, MutableView<Long, Long> view, long key) {
    view.put(key, attempt.number);
    log.wrote(attempt, new Slot(index, key), true);
  }

  private void remove(int index, MutableView<Long, Long> view, long key) {
    view.remove(key);
    log.wrote(attempt, new Slot(index, key), false);
  }

  private void get(int index, ReadView<Long, Long> view, long key) {
    Long found = view.get(key);
    log.scanned(attempt, index, key, key, found == null ? Map.of() : Map.of(key, found));
  }

  private void scan(int index, ReadView<Long, Long> view) {
    long a = world.anyKey(random);
    long b = world.anyKey(random);
    long low = Math.min(a, b);
    long high = Math.max(a, b);
    if (random.chance(0.3)) {
      count(index, view, low, high);
    } else {
      scan(index, view, low, high, random.chance(0.5), random.oneOf(1, 3, 99));
    }
  }

  /**
   * Checks that the entries counted, from many subtrees at the same time, are there when a scan
   * looks at them.
   */
  private void count(int index, ReadView<Long, Long> view, long low, long high) {
    long counted = view.count(Range.closed(low, high));
    long found = scan(index, view, low, high, false, Integer.MAX_VALUE);
    if (counted != found) {
      grid.problem(
          String.format(
              Locale.ROOT,
              "%s counted %d from %d to %d, and found %d",
              attempt,
              counted,
              low,
              high,
              found));
    }
  }

  /**
   * A scan that was cut off by its limit covers what is up to the last key it gave.
   *
   * @return how many entries it gave
   */
  int scan(int index, ReadView<Long, Long> view, long low, long high, boolean reverse, int limit) {
    List<Long> keys = new ArrayList<>();
    Map<Long, Long> found = new TreeMap<>();
    try (Cursor<Long, Long> cursor = view.scan(Range.closed(low, high)).limit(limit)) {
      for (Map.Entry<Long, Long> entry : reverse ? cursor.reverse() : cursor) {
        keys.add(entry.getKey());
        found.put(entry.getKey(), entry.getValue());
        if (random.chance(0.1)) {
          pause();
        }
      }
    }
    checkOrder(keys, low, high, reverse, limit);
    boolean cut = keys.size() >= limit;
    long last = cut ? keys.get(keys.size() - 1) : reverse ? low : high;
    log.scanned(attempt, index, reverse ? last : low, reverse ? high : last, found);
    return keys.size();
  }

  private void checkOrder(List<Long> keys, long low, long high, boolean reverse, int limit) {
    boolean right = keys.size() <= limit;
    for (int i = 0; i < keys.size(); i++) {
      long key = keys.get(i);
      right &= key >= low && key <= high;
      right &= i == 0 || (reverse ? keys.get(i - 1) > key : keys.get(i - 1) < key);
    }
    if (!right) {
      grid.problem(
          String.format(
              Locale.ROOT,
              "%s scanned %d to %d%s, at most %d, and got %s",
              attempt,
              low,
              high,
              reverse ? " in reverse" : "",
              limit,
              keys));
    }
  }
}
