package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.KeyReads;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One node's side of hot entries as a keeper: the hot copies, by shard. Confined to the protocol
 * lock, except {@link #tryRead} and {@link #view}.
 */
public final class HotCopies {
  private final HotLimits limits;
  private final Map<Integer, KeptShard> kept = new TreeMap<>();

  /** The views that readers have; an array of its own after each change. */
  private volatile @Nullable HotView[] views;

  /** Whether a caller has read at the nearest copy, and there was none, since the last look. */
  private volatile boolean wanted;

  /** When a caller has last read at the nearest copy; null: none has. */
  private @Nullable Long wantedAtNanos;

  private long answered;

  public HotCopies(HotLimits limits, int shards) {
    this.limits = limits;
    this.views = new @Nullable HotView[shards];
  }

  /** Reads in a hot copy; null: there is none that can answer. Any thread. */
  public @Nullable LocalRead tryRead(
      int shard, ReadQuery query, VectorClock clock, ShardSet hasRead, Fences fences) {
    if (!limits.on()) {
      return null;
    }
    HotView view = views[shard];
    LocalRead read =
        view == null || !(query instanceof ReadQuery.Get get) || !takesNoTurn(get, hasRead)
            ? null
            : view.read(get, clock, hasRead, fences);
    if (read == null && !wanted) {
      wanted = true;
    }
    return read;
  }

  /** Whether a read of an entry takes no turn at its primary. */
  private static boolean takesNoTurn(ReadQuery.Get get, ShardSet hasRead) {
    return !get.key().isHeader()
        && switch (get.turn()) {
          case NONE -> true;
          case BEHIND_OTHERS -> !hasRead.isEmpty();
          case OWN -> false;
        };
  }

  /** The hot copies of a shard; null: none. Any thread. */
  public @Nullable HotView view(int shard) {
    return views[shard];
  }

  /**
   * Takes a push.
   *
   * @return whether one was missed, and the primary is to be asked
   */
  public boolean onPush(HotPush push, long nowNanos) {
    KeptShard shard = kept.computeIfAbsent(push.shard(), KeptShard::new);
    shard.onPush(push, nowNanos);
    publish();
    return shard.isBehind(push.topology());
  }

  /** Whether callers here read at the nearest copy. To be called at times, before {@link #told}. */
  public boolean isKeeper(long nowNanos) {
    boolean reads = wanted;
    for (HotView view : views) {
      reads |= view != null && view.copies().values().stream().anyMatch(c -> c.tally().isUsed());
    }
    wanted = false;
    if (reads) {
      wantedAtNanos = nowNanos;
    }
    return wantedAtNanos != null && nowNanos - wantedAtNanos <= limits.stayNanos();
  }

  /** The reads of some shards' entries that were answered since they were told last. */
  public List<KeyReads> told(IntPredicate shards) {
    List<KeyReads> told = new ArrayList<>();
    for (HotView view : views) {
      if (view != null && shards.test(view.shard())) {
        view.copies()
            .forEach((key, copy) -> {
              int reads = copy.tally().take();
              answered += reads;
              if (reads > 0) {
                told.add(new KeyReads(key, reads));
              }
            });
      }
    }
    return told;
  }

  /**
   * Drops what nothing was heard of for long. To be called at times.
   *
   * @return the shards whose primaries are to be asked
   */
  public List<Integer> tick(long topology, long nowNanos) {
    List<Integer> behind = new ArrayList<>();
    for (Map.Entry<Integer, KeptShard> each : kept.entrySet()) {
      each.getValue().expire(nowNanos, limits.stayNanos());
      if (each.getValue().isBehind(topology)) {
        behind.add(each.getKey());
      }
    }
    publish();
    return behind;
  }

  /** A topology is installed: drops the hot copies of shards of which this node has a copy. */
  public void onTopology(IntPredicate isHeld) {
    kept.keySet().removeIf(isHeld::test);
    publish();
  }

  /** Drops all. */
  public void clear() {
    kept.clear();
    publish();
  }

  private void publish() {
    @Nullable HotView[] next = new @Nullable HotView[views.length];
    kept.forEach((shard, copies) -> next[shard] = copies.view());
    views = next;
  }

  /** The keys that are kept, headers left out. */
  public List<CompositeKey> keys() {
    List<CompositeKey> keys = new ArrayList<>();
    for (HotView view : views) {
      if (view != null) {
        view.copies().keySet().stream().filter(key -> !key.isHeader()).forEach(keys::add);
      }
    }
    return keys;
  }

  /** The number of reads that were answered here, up to the last tick. */
  public long answered() {
    return answered;
  }
}
