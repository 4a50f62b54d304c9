package io.canopygrid.btree.load;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.Traffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Counts the uses of the subtrees that this node serves, and the uses of any subtree by its own
 * callers. Counting takes no lock; {@link #look} is to be called about once per second.
 * Thread-safe.
 */
public final class LoadRecorder implements Traffic {
  /** A page of a scan counts as one read for each so many entries. */
  private static final int ENTRIES_PER_READ = 16;

  /** A count is one read for each so many entries: they are passed, not sent. */
  private static final int COUNTED_PER_READ = 64;

  /** Subtrees used less than this, per second, are left out: that is the rest of old uses. */
  private static final double USED_LEAST = 1e-3;

  /** The number of bytes of a composite key before the user's key. */
  private static final int KEY_AT = CompositeKey.KCL_BYTES + 1;

  private final GmuNode node;
  private final LongUnaryOperator random;
  private final double memorySeconds;

  private final SubtreeTable served;
  private final SubtreeTable own;
  private final KeySample noKeys = new KeySample();
  private final LoadHistory history = new LoadHistory();

  /** Whether the uses by own callers are counted. */
  private volatile boolean hearsOwnUse;

  /**
   * Counts the uses from now on.
   *
   * @param random a number below another one
   * @param memorySeconds the age at which a use counts 1/e for the rates
   */
  public LoadRecorder(GmuNode node, LongUnaryOperator random, double memorySeconds) {
    this.node = node;
    this.memorySeconds = memorySeconds;
    this.random = random;
    this.served = new SubtreeTable(kcl -> fresh(kcl, new KeySample()));
    this.own = new SubtreeTable(kcl -> fresh(kcl, noKeys));
    node.tellTraffic(this);
  }

  @Override
  public void read(CompositeKey key) {
    SubtreeCounters counters = served.of(key.kcl());
    if (counters != null) {
      counters.read(1);
      sample(counters, key.bytes(), KEY_AT);
    }
  }

  @Override
  public void scanned(ReadQuery.Scan query, int entries) {
    SubtreeCounters counters = served.of(query.kcl());
    if (counters != null) {
      counters.read(ofPage(entries));
      byte[] start = query.reverse() ? query.to() : query.from();
      if (start != null) {
        sample(counters, start, 1);
      }
    }
  }

  @Override
  public void counted(ReadQuery.Count query, long entries) {
    SubtreeCounters counters = served.of(query.kcl());
    if (counters != null) {
      counters.read(ofCount(entries));
      sample(counters, query.from(), 1);
    }
  }

  @Override
  public void wrote(CompositeKey key) {
    SubtreeCounters counters = served.of(key.kcl());
    if (counters != null) {
      counters.wrote();
      sample(counters, key.bytes(), KEY_AT);
    }
  }

  @Override
  public void conflicted(CompositeKey key) {
    SubtreeCounters counters = served.of(key.kcl());
    if (counters != null) {
      counters.conflicted();
    }
  }

  /** The uses of what this node served of late, by steps of time. */
  public LoadHistory history() {
    return history;
  }

  private void sample(SubtreeCounters counters, byte[] bytes, int from) {
    if (random.applyAsLong(KeySample.EVERY) == 0) {
      counters.sample().add(bytes, from);
    }
  }

  private SubtreeCounters fresh(long kcl, KeySample sample) {
    return new SubtreeCounters(kcl, node.threads().nanoTime(), sample);
  }

  /** The number of reads that a page of so many entries counts as. */
  public static long ofPage(long entries) {
    return 1 + entries / ENTRIES_PER_READ;
  }

  /** The number of reads that counting so many entries counts as. */
  public static long ofCount(long entries) {
    return 1 + entries / COUNTED_PER_READ;
  }

  /** Counts the uses by the callers in this node's JVM from now on. */
  public OwnUse hearOwnUse() {
    hearsOwnUse = true;
    return new OwnUse() {
      @Override
      public void read(long kcl, long weight) {
        SubtreeCounters counters = own.of(kcl);
        if (counters != null) {
          counters.read(weight);
        }
      }

      @Override
      public void wrote(long kcl) {
        SubtreeCounters counters = own.of(kcl);
        if (counters != null) {
          counters.wrote();
        }
      }
    };
  }

  /**
   * Looks at all subtrees that this node serves, or, where the uses by own callers are counted, at
   * all that there are. The others are forgotten.
   */
  public synchronized NodeLoad look() {
    if (node.entryMemory().closedCopies() > 0) {
      return NodeLoad.UNKNOWN; // there is more than what is in memory yet
    }
    long nowNanos = node.threads().nanoTime();
    NodeId self = node.self();
    List<SubtreeCounters> kept = new ArrayList<>();
    List<SubtreeCounters> keptOwn = new ArrayList<>();
    List<CrownEntry> crown = new ArrayList<>();
    Crown.forEach(node.top(), crown::add);
    List<SubtreeLoad> loads = new ArrayList<>();
    Map<Long, Double> uses = new HashMap<>();
    boolean endsStep = history.isDue(nowNanos);
    List<LoadHistory.Use> ofStep = new ArrayList<>();
    for (int i = 0; i < crown.size(); i++) {
      CrownEntry entry = crown.get(i);
      boolean last = i + 1 == crown.size() || crown.get(i + 1).index() != entry.index();
      byte[] high = last ? null : crown.get(i + 1).separator();
      if (hearsOwnUse) {
        // A subtree without uses is looked at, too. Otherwise its rate would be measured only
        // from the first use on.
        SubtreeCounters used = own.findOrFresh(entry.kcl());
        used.look(entry.separator(), high, nowNanos, memorySeconds);
        keptOwn.add(used);
        if (used.perSecond() >= USED_LEAST) {
          uses.put(entry.kcl(), used.perSecond());
        }
      }
      List<NodeId> owners = node.topology().shard(node.shardMap().shardOf(entry.kcl())).owners();
      if (owners.isEmpty() || !owners.get(0).equals(self)) {
        continue;
      }
      SubtreeCounters counters = served.findOrFresh(entry.kcl());
      counters.look(entry.separator(), high, nowNanos, memorySeconds);
      LoadHistory.Use use = endsStep ? counters.take(entry.index()) : null;
      if (use != null) {
        ofStep.add(use);
      }
      KclSize size = node.size(entry.kcl());
      loads.add(counters.load(size.entries(), size.bytes()));
      kept.add(counters);
    }
    served.retain(kept);
    own.retain(keptOwn);
    if (endsStep) {
      history.add(nowNanos, ofStep);
    }
    return new NodeLoad(self, loads, uses);
  }
}
