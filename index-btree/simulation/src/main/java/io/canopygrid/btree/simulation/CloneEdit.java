package io.canopygrid.btree.simulation;

import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.simulation.CloneHandles.Opened;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes of one attempt into one index, each with its log.
 *
 * @param node at which the transaction runs
 */
record CloneEdit(
    HandleWork work,
    GmuNode node,
    MutableView<Long, String> view,
    Opened at,
    CloneCheck.Intent intent,
    Told told) {

  /** Appends the commit's number to its common lists. */
  static void append(MutableView<Long, String> lists, Told told) {
    for (long key : told.keys) {
      lists.put(key, NumberLists.with(lists.get(key), told.number));
    }
  }

  void put(long key) {
    view.put(key, CloneCheck.value(told.number));
    wrote(key, true);
  }

  void remove(long key) {
    view.remove(key);
    wrote(key, false);
    countRemoval();
  }

  void removeRange(long low, long high) {
    Range<Long> range = Range.closed(low, high);
    List<Long> there = new ArrayList<>();
    view.scan(range).forEach(entry -> there.add(entry.getKey()));
    long removed = view.removeRange(range);
    if (removed != there.size()) {
      work.problem("removed " + removed + " entries, where there are " + there + " of " + at);
    }
    there.forEach(key -> wrote(key, false));
    if (removed > 0) {
      countRemoval();
    }
  }

  /** Reads a key's log. */
  void look(long key) {
    String log = view.get(CloneShown.logOf(at.number(), key));
    intent.saw(at.number(), key, NumberLists.of(log));
  }

  private void wrote(long key, boolean put) {
    intent.writes(at.number(), key, put);
    long log = CloneShown.logOf(at.number(), key);
    String before = view.get(log);
    if (!NumberLists.of(before).contains(told.number)) {
      view.put(log, NumberLists.with(before, told.number));
    }
  }

  /** Says in which state of a clone something is removed from it, as the node knows it. */
  private void countRemoval() {
    VersionChain newest = node.top().get(CatalogEntry.key(at.name()).bytes());
    byte[] value = newest == null ? null : newest.value();
    if (newest == null || value == null || CatalogEntry.numberOf(value) != at.number()) {
      return;
    }
    CatalogEntry entry = CatalogEntry.decode(value);
    if (!entry.isClone()) {
      return;
    }
    if (!entry.layers().isEmpty()) {
      work.count("removals above layers");
    } else if (newest.clock().equals(VectorClock.ZERO)) {
      work.count("removals when settled");
    } else {
      work.count("removals when flat");
    }
  }
}
