package io.canopygrid.btree.control;

import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A model of a grid whose subtrees are ranges of numbers: what the policy decides is carried out at
 * once, and each key's load is known.
 */
final class GridOfSubtrees {
  static final int INDEX = 1;
  private static final int SHARDS = 24;
  private static final int CUTS = 8;

  private final List<@Nullable NodeId> primaries = new ArrayList<>();
  private final TreeMap<Long, Long> kcls = new TreeMap<>();
  private final Map<Long, Integer> shards = new HashMap<>();
  final Map<Integer, Integer> cutOffs = new HashMap<>();
  final int entriesMax = 1_024;
  private final long keys;
  private LongToDoubleFunction load = key -> 0;
  private LongFunction<@Nullable NodeId> users = key -> null;
  private long nextKcl = 1L << 33;
  long moved;

  /** All keys in one subtree. */
  GridOfSubtrees(int nodes, long keys) {
    this.keys = keys;
    nodes(nodes);
    born(0, 0);
  }

  /** From now on the shards are at so many nodes. */
  void nodes(int nodes) {
    primaries.clear();
    for (int shard = 0; shard < SHARDS; shard++) {
      primaries.add(new NodeId(shard % nodes));
    }
  }

  void load(LongToDoubleFunction perKey) {
    load = perKey;
  }

  /** The node whose callers use each key; null: none. */
  void users(LongFunction<@Nullable NodeId> perKey) {
    users = perKey;
  }

  private void born(long low, int shard) {
    kcls.put(low, nextKcl);
    shards.put(nextKcl++, shard);
  }

  int subtrees() {
    return kcls.size();
  }

  GridLoad look() {
    List<PlacedSubtree> subtrees = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : kcls.entrySet()) {
      subtrees.add(subtree(entry.getKey(), entry.getValue()));
    }
    return new GridLoad(primaries, 0, subtrees, cutOffs, Map.of(INDEX, entriesMax));
  }

  /** The same where a node is silent: its shards and its subtrees have no primary. */
  GridLoad lookWithout(NodeId silent) {
    GridLoad all = look();
    List<@Nullable NodeId> heard = new ArrayList<>();
    for (NodeId primary : all.primaries()) {
      heard.add(silent.equals(primary) ? null : primary);
    }
    List<PlacedSubtree> subtrees = new ArrayList<>();
    for (PlacedSubtree subtree : all.subtrees()) {
      subtrees.add(
          silent.equals(subtree.node())
              ? new PlacedSubtree(
                  subtree.index(),
                  subtree.low(),
                  subtree.high(),
                  subtree.shard(),
                  null,
                  new SubtreeLoad(subtree.kcl(), 0, 0, 0, 0, 0, List.of()),
                  Map.of())
              : subtree);
    }
    return new GridLoad(heard, 1, subtrees, all.cutOffs(), all.entriesMax());
  }

  private PlacedSubtree subtree(long low, long kcl) {
    Long next = kcls.higherKey(low);
    long high = next == null ? keys : next;
    double total = LongStream.range(low, high).mapToDouble(load).sum();
    int shard = Invariant.present(shards.get(kcl), "a subtree without a shard");
    return new PlacedSubtree(
        INDEX,
        low == 0 ? new byte[0] : key(low),
        next == null ? null : key(next),
        shard,
        primaries.get(shard),
        new SubtreeLoad(
            kcl, high - low, 16 * (high - low), total, 0, 60_000, cuts(low, high, total)),
        uses(low, high));
  }

  private Map<NodeId, Double> uses(long low, long high) {
    Map<NodeId, Double> uses = new HashMap<>();
    for (long key = low; key < high; key++) {
      NodeId user = users.apply(key);
      if (user != null) {
        uses.merge(user, load.applyAsDouble(key), Double::sum);
      }
    }
    return uses;
  }

  private List<byte[]> cuts(long low, long high, double total) {
    List<byte[]> cuts = new ArrayList<>();
    double sum = 0;
    int eighth = 1;
    for (long key = low; key < high && total > 0; key++) {
      sum += load.applyAsDouble(key);
      if (eighth < CUTS && sum > total * eighth / CUTS) {
        if (key > low) {
          cuts.add(key(key));
        }
        eighth = (int) (sum / total * CUTS) + 1;
      }
    }
    return cuts;
  }

  private static byte[] key(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  /** Carries out. */
  void make(List<PlannedChange> changes) {
    for (PlannedChange change : changes) {
      long low = low(change.subtree());
      Long high = kcls.higherKey(low);
      long entries = (high == null ? keys : high) - low;
      if (change instanceof PlannedChange.Split split) {
        byte[] cut = split.at();
        long at = cut == null ? low + entries / 2 : ByteBuffer.wrap(cut).getLong();
        moved += low + entries - at;
        born(at, split.shard());
      } else if (change instanceof PlannedChange.Move move) {
        moved += entries;
        born(low, move.shard());
      } else {
        PlannedChange.Merge merge = (PlannedChange.Merge) change;
        moved += entries;
        Map.Entry<Long, Long> other =
            Invariant.present(
                merge.left() ? kcls.lowerEntry(low) : kcls.higherEntry(low), "no neighbour");
        kcls.remove(merge.left() ? low : other.getKey());
        kcls.put(merge.left() ? other.getKey() : low, other.getValue());
      }
    }
  }

  private long low(PlacedSubtree subtree) {
    for (Map.Entry<Long, Long> entry : kcls.entrySet()) {
      if (entry.getValue() == subtree.kcl()) {
        return entry.getKey();
      }
    }
    throw new AssertionError("no subtree " + subtree);
  }

  /** The load as measured in a few seconds: uses come by chance. */
  GridLoad seen(Random random) {
    GridLoad exact = look();
    List<PlacedSubtree> subtrees = exact.subtrees().stream().map(s -> seen(s, random)).toList();
    return new GridLoad(exact.primaries(), 0, subtrees, exact.cutOffs(), exact.entriesMax());
  }

  private static PlacedSubtree seen(PlacedSubtree subtree, Random random) {
    SubtreeLoad load = subtree.load();
    double seconds = 2 * BalanceLimits.DEFAULT.memorySeconds();
    double reads = poisson(load.readsPerSecond() * seconds, random) / seconds;
    Map<NodeId, Double> uses = new HashMap<>();
    double left = load.readsPerSecond();
    double leftSeen = reads;
    for (Map.Entry<NodeId, Double> use : new TreeMap<>(subtree.uses()).entrySet()) {
      double part = part(leftSeen * seconds, use.getValue() / left, random) / seconds;
      uses.put(use.getKey(), part);
      left -= use.getValue();
      leftSeen -= part;
    }
    SubtreeLoad seen =
        new SubtreeLoad(
            load.kcl(), load.entries(), load.bytes(), reads, 0, load.seenMillis(), load.cuts());
    return new PlacedSubtree(
        subtree.index(),
        subtree.low(),
        subtree.high(),
        subtree.shard(),
        subtree.node(),
        seen,
        uses);
  }

  /** The number of things taken from some, each with a probability. */
  private static int part(double all, double probability, Random random) {
    int taken = 0;
    for (long i = Math.round(all); i > 0; i--) {
      taken += random.nextDouble() < probability ? 1 : 0;
    }
    return taken;
  }

  /**
   * The number of times that something happens which is expected so many times (Knuth's method).
   */
  private static int poisson(double expected, Random random) {
    int count = -1;
    for (double left = expected; left >= 0; left += Math.log(1 - random.nextDouble())) {
      count++;
    }
    return count;
  }

  /** Decides and makes until nothing is left to be done. */
  int settle(CutOffPolicy policy, int roundsMax) {
    for (int round = 0; round < roundsMax; round++) {
      List<PlannedChange> changes = policy.decide(look());
      if (changes.isEmpty()) {
        return round;
      }
      make(changes);
    }
    throw new AssertionError("goes on after " + roundsMax + " rounds: " + policy.decide(look()));
  }

  /** The greatest node's part of the load, or of the entries, as a multiple of the mean. */
  double unevenness(boolean byLoad) {
    Map<NodeId, Double> shares = new HashMap<>();
    primaries.forEach(node -> shares.put(node, 0.0));
    for (PlacedSubtree subtree : look().subtrees()) {
      double share = byLoad ? subtree.load().perSecond() : subtree.entries();
      shares.merge(subtree.node(), share, Double::sum);
    }
    double[] all = shares.values().stream().mapToDouble(Double::doubleValue).toArray();
    return Arrays.stream(all).max().orElse(0) / (Arrays.stream(all).sum() / all.length);
  }

  /** The part of the load that is of a node's own callers at its own subtrees. */
  double atHome() {
    double home = 0;
    double all = 0;
    for (PlacedSubtree subtree : look().subtrees()) {
      home += subtree.uses().getOrDefault(subtree.node(), 0.0);
      all += subtree.load().perSecond();
    }
    return home / all;
  }

  /** The bytes of the node that has most, as a multiple of the mean. */
  double fullest() {
    Map<NodeId, Double> bytes = new HashMap<>();
    primaries.forEach(node -> bytes.put(node, 0.0));
    look()
        .subtrees()
        .forEach(
            subtree -> bytes.merge(subtree.node(), (double) subtree.load().bytes(), Double::sum));
    double[] all = bytes.values().stream().mapToDouble(Double::doubleValue).toArray();
    return Arrays.stream(all).max().orElse(0) / (Arrays.stream(all).sum() / all.length);
  }

  /** The greatest part of the load that one subtree has. */
  double greatest() {
    double[] loads = look().subtrees().stream().mapToDouble(s -> s.load().perSecond()).toArray();
    return Arrays.stream(loads).max().orElse(0) / Arrays.stream(loads).sum();
  }
}
