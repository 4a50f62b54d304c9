package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.protocol.read.ShardView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node's side of hot entries as a primary: what is read most here, who keeps it, and what each
 * keeper was told. Confined to the protocol lock.
 */
public final class HotStreams {
  private final HotLimits limits;
  private final ToIntFunction<CompositeKey> shardOf;
  private final Heat heat;

  /** When each keeper has last said that its callers read at the nearest copy. */
  private final Map<NodeId, Long> keepers = new LinkedHashMap<>();

  private final Map<Integer, Map<NodeId, HotStream>> streams = new HashMap<>();

  /** The shards with a push that is due at a time to come. */
  private final Set<Integer> due = new HashSet<>();

  private long pushes;

  public HotStreams(HotLimits limits, ToIntFunction<CompositeKey> shardOf) {
    this.limits = limits;
    this.shardOf = shardOf;
    this.heat = new Heat(limits);
  }

  /**
   * Counts reads of an entry that were asked of this primary, or answered by a keeper.
   *
   * @return whether a push of its shard is due now, and was not before
   */
  public boolean read(CompositeKey key, long reads, int members, long nowNanos) {
    return !keepers.isEmpty()
        && heat.add(key, reads, members, nowNanos)
        && isDue(shardOf.applyAsInt(key));
  }

  /** Says of reads that were counted that a keeper has answered them. */
  public void atCopies(CompositeKey key, long reads) {
    heat.atCopies(key, reads);
  }

  /** Something was applied in a shard; the same answer. */
  public boolean applied(int shard) {
    return streams.containsKey(shard) && isDue(shard);
  }

  private boolean isDue(int shard) {
    return !keepers.isEmpty() && due.add(shard);
  }

  /** The time between two pushes of a shard. */
  public long pushNanos(int members) {
    return limits.pushNanos(members);
  }

  /** A node reads at the nearest copy. */
  public void keeps(NodeId keeper, long nowNanos) {
    keepers.put(keeper, nowNanos);
  }

  /** A push of a shard is not awaited any more. */
  public void pushed(int shard) {
    due.remove(shard);
  }

  /** The shards with hot keys or with streams, in their order. */
  public Set<Integer> shards() {
    Set<Integer> shards = new TreeSet<>(streams.keySet());
    heat.keys().forEach(key -> shards.add(shardOf.applyAsInt(key)));
    return shards;
  }

  /** The hot keys, how much they are read, and where. */
  public List<HotKey> hotKeys(long nowNanos) {
    List<HotKey> hot = new ArrayList<>();
    heat.rates(nowNanos).forEach((key, rate) -> hot.add(new HotKey(key, rate, keepersOf(key))));
    return hot;
  }

  private List<NodeId> keepersOf(CompositeKey key) {
    return streams.getOrDefault(shardOf.applyAsInt(key), Map.of()).entrySet().stream()
        .filter(stream -> stream.getValue().keeps(key))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The nodes that read at the nearest copy. */
  public Collection<NodeId> keepers() {
    return keepers.keySet();
  }

  /** The next push to a keeper of a shard; null: it need not be told anything. */
  public @Nullable HotPush next(
      NodeId keeper, ShardView view, long topology, long given, boolean always) {
    List<CompositeKey> hot =
        heat.keys().stream().filter(key -> shardOf.applyAsInt(key) == view.shard()).toList();
    Map<NodeId, HotStream> ofShard = streams.get(view.shard());
    HotStream stream = ofShard == null ? null : ofShard.get(keeper);
    if (stream == null && hot.isEmpty()) {
      return null;
    }
    if (stream == null) {
      stream = new HotStream(view.shard(), topology);
      streams.computeIfAbsent(view.shard(), s -> new LinkedHashMap<>()).put(keeper, stream);
    }
    HotPush push = stream.next(view, hot, given, always);
    pushes += push == null ? 0 : 1;
    return push;
  }

  /** A keeper has missed a push; whether there is a stream to begin anew. */
  public boolean asked(NodeId keeper, int shard) {
    HotStream stream = streams.getOrDefault(shard, Map.of()).get(keeper);
    if (stream != null) {
      stream.beginAnew();
    }
    return stream != null;
  }

  /** To be called at times, before pushes. */
  public void tick(int members, long nowNanos) {
    heat.cool(members, nowNanos);
    keepers
        .entrySet()
        .removeIf(keeper -> {
          boolean over = nowNanos - keeper.getValue() > limits.stayNanos();
          if (over) {
            streams.values().forEach(ofShard -> beginAnew(ofShard, keeper.getKey()));
          }
          return over;
        });
  }

  private static void beginAnew(Map<NodeId, HotStream> ofShard, NodeId keeper) {
    HotStream stream = ofShard.get(keeper);
    if (stream != null) {
      stream.beginAnew();
    }
  }

  /** A topology is installed: its streams begin. */
  public void onTopology(Collection<NodeId> members) {
    streams.clear();
    keepers.keySet().retainAll(members);
  }

  /** There are no hot entries here any more. */
  public void clear() {
    heat.clear();
    streams.clear();
    keepers.clear();
    due.clear();
  }

  /** The number of pushes that were made. */
  public long pushes() {
    return pushes;
  }
}
