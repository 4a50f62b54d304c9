package io.canopygrid.btree.load;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the subtrees are used for that this node serves. Counting takes no lock and finds the
 * counters of a subtree in an open-addressing table, which is replaced as a whole when a subtree is
 * new; {@link #look} is to be called about once per second. Thread-safe.
 */
public final class LoadRecorder implements Traffic {
  private static final int LEAST_SLOTS = 64;

  /** A page of a scan counts as one read for each so many entries. */
  private static final int ENTRIES_PER_READ = 16;

  /** A count is one read for each so many entries: they are passed, not sent. */
  private static final int COUNTED_PER_READ = 64;

  /** How many bytes of a composite key come before the user's key. */
  private static final int KEY_AT = CompositeKey.KCL_BYTES + 1;

  private final GmuNode node;
  private final LongUnaryOperator random;
  private final double memorySeconds;

  /** A power of two; at most half of it used. Never changed but by replacing it. */
  private volatile @Nullable SubtreeCounters[] slots = new SubtreeCounters[LEAST_SLOTS];

  private int used;

  /**
   * Counts what a node is used for from now on.
   *
   * @param random a number below another one
   * @param memorySeconds what is so old counts 1/e for the rates
   */
  public LoadRecorder(GmuNode node, LongUnaryOperator random, double memorySeconds) {
    this.node = node;
    this.memorySeconds = memorySeconds;
    this.random = random;
    node.tellTraffic(this);
  }

  @Override
  public void read(CompositeKey key) {
    SubtreeCounters counters = of(key.kcl());
    if (counters != null) {
      counters.read(1);
      sample(counters, key.bytes(), KEY_AT);
    }
  }

  @Override
  public void scanned(ReadQuery.Scan query, int entries) {
    SubtreeCounters counters = of(query.kcl());
    if (counters != null) {
      counters.read(1 + entries / ENTRIES_PER_READ);
      byte[] start = query.reverse() ? query.to() : query.from();
      if (start != null) {
        sample(counters, start, 1);
      }
    }
  }

  @Override
  public void counted(ReadQuery.Count query, long entries) {
    SubtreeCounters counters = of(query.kcl());
    if (counters != null) {
      counters.read(1 + entries / COUNTED_PER_READ);
      sample(counters, query.from(), 1);
    }
  }

  @Override
  public void wrote(CompositeKey key) {
    SubtreeCounters counters = of(key.kcl());
    if (counters != null) {
      counters.wrote();
      sample(counters, key.bytes(), KEY_AT);
    }
  }

  private void sample(SubtreeCounters counters, byte[] bytes, int from) {
    if (random.applyAsLong(KeySample.EVERY) == 0) {
      counters.sample().add(bytes, from);
    }
  }

  private @Nullable SubtreeCounters of(long kcl) {
    SubtreeCounters found = find(slots, kcl);
    return found != null || !SubtreeHeader.isSubtree(kcl) ? found : add(kcl);
  }

  private static @Nullable SubtreeCounters find(@Nullable SubtreeCounters[] table, long kcl) {
    int mask = table.length - 1;
    for (int at = slot(kcl, mask); ; at = at + 1 & mask) {
      SubtreeCounters counters = table[at];
      if (counters == null || counters.kcl == kcl) {
        return counters;
      }
    }
  }

  /** A kcl is mixed already. */
  private static int slot(long kcl, int mask) {
    return (int) (kcl >>> 32 ^ kcl) & mask;
  }

  private synchronized SubtreeCounters add(long kcl) {
    SubtreeCounters found = find(slots, kcl);
    if (found == null) {
      found = new SubtreeCounters(kcl, node.threads().nanoTime());
      List<SubtreeCounters> all = all();
      all.add(found);
      replace(all);
    }
    return found;
  }

  private List<SubtreeCounters> all() {
    List<SubtreeCounters> all = new ArrayList<>(used + 1);
    for (SubtreeCounters counters : slots) {
      if (counters != null) {
        all.add(counters);
      }
    }
    return all;
  }

  private void replace(List<SubtreeCounters> all) {
    int length = LEAST_SLOTS;
    while (length < 2 * all.size()) {
      length *= 2;
    }
    SubtreeCounters[] next = new SubtreeCounters[length];
    for (SubtreeCounters counters : all) {
      int at = slot(counters.kcl, length - 1);
      while (next[at] != null) {
        at = at + 1 & length - 1;
      }
      next[at] = counters;
    }
    used = all.size();
    slots = next;
  }

  /**
   * Looks at all subtrees that this node serves, and forgets those that it does not.
   *
   * @return what each has and is used for, in the order of the crown
   */
  public synchronized List<SubtreeLoad> look() {
    long nowNanos = node.threads().nanoTime();
    NodeId self = node.self();
    List<SubtreeCounters> served = new ArrayList<>(used);
    List<CrownEntry> crown = new ArrayList<>(used);
    Crown.forEach(node.top(), crown::add);
    List<SubtreeLoad> loads = new ArrayList<>();
    for (int i = 0; i < crown.size(); i++) {
      CrownEntry entry = crown.get(i);
      List<NodeId> owners = node.topology().shard(node.shardMap().shardOf(entry.kcl())).owners();
      if (owners.isEmpty() || !owners.get(0).equals(self)) {
        continue;
      }
      SubtreeCounters counters = find(slots, entry.kcl());
      if (counters == null) {
        counters = new SubtreeCounters(entry.kcl(), nowNanos);
      }
      boolean last = i + 1 == crown.size() || crown.get(i + 1).index() != entry.index();
      byte[] high = last ? null : crown.get(i + 1).separator();
      counters.look(entry.separator(), high, nowNanos, memorySeconds);
      KclSize size = node.size(entry.kcl());
      loads.add(counters.load(size.entries(), size.bytes()));
      served.add(counters);
    }
    replace(served);
    return loads;
  }
}
