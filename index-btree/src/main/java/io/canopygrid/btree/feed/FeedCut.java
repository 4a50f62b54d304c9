package io.canopygrid.btree.feed;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer.Change;
import io.canopygrid.gmu.ChangeAnswer.Commit;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The transactions that can be told next (docs/protocol.md, Change feeds).
 *
 * @param commits in an order in which each comes after all that it depends on
 * @param upTo the snapshot that shows these, all that was told before, and nothing else
 * @param isWhole whether nothing is left between the two snapshots
 */
record FeedCut(List<Commit> commits, VectorClock upTo, boolean isWhole) {
  /**
   * The sum of a clock's numbers in 128 bits: it is lower for a clock that is below, so it orders
   * commits as they depend on each other.
   */
  private record Sum(long high, long low) implements Comparable<Sum> {
    private static final int HALF = 32;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    static Sum of(VectorClock clock) {
      long high = 0;
      long low = 0;
      for (int i = 0; i < clock.size(); i++) {
        high += clock.numberAt(i) >>> HALF;
        low += clock.numberAt(i) & LOW_HALF;
      }
      return new Sum(high + (low >>> HALF), low & LOW_HALF);
    }

    @Override
    public int compareTo(Sum other) {
      return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
    }
  }

  private record Placed(Commit commit, Sum sum) {}

  private static final Comparator<Placed> ORDER =
      Comparator.comparing(Placed::sum).thenComparing(placed -> placed.commit().tid());

  /**
   * Cuts at the highest snapshot below which all commits are known.
   *
   * @param shards the known commits of each shard; of a shard that is not whole, all up to a number
   *     at or above that of {@code from}
   */
  static FeedCut of(Map<Integer, KnownShard> shards, VectorClock from, VectorClock upTo) {
    boolean whole = shards.values().stream().allMatch(KnownShard::isWhole);
    List<Commit> told = new ArrayList<>();
    for (Commit commit : joined(shards)) {
      if (isKnown(commit.clock(), shards)) {
        told.add(commit);
      }
    }
    VectorClock reached = whole ? upTo : from;
    for (Commit commit : told) {
      reached = reached.join(commit.clock());
    }
    return new FeedCut(ordered(told), reached, whole);
  }

  /**
   * The shards of which more has to be known before anything can be told: those that keep the
   * lowest commit from being told, or all that are not whole where no commit is known.
   */
  static Map<Integer, KnownShard> awaited(Map<Integer, KnownShard> shards) {
    Map<Integer, KnownShard> open = new TreeMap<>(shards);
    open.values().removeIf(KnownShard::isWhole);
    List<Commit> known = ordered(joined(shards));
    if (known.isEmpty()) {
      return open;
    }
    VectorClock lowest = known.get(0).clock();
    Map<Integer, KnownShard> below = new TreeMap<>(open);
    below.entrySet().removeIf(shard -> lowest.get(shard.getKey()) <= shard.getValue().upTo());
    return below.isEmpty() ? open : below;
  }

  /** Whether all commits that are at or below this clock are known, wherever they wrote. */
  private static boolean isKnown(VectorClock clock, Map<Integer, KnownShard> shards) {
    return shards.entrySet().stream()
        .allMatch(shard ->
            shard.getValue().isWhole() || clock.get(shard.getKey()) <= shard.getValue().upTo());
  }

  /** The commits with what they have written in all shards. */
  private static List<Commit> joined(Map<Integer, KnownShard> shards) {
    Map<TxId, Commit> all = new LinkedHashMap<>();
    for (KnownShard shard : shards.values()) {
      for (Commit commit : shard.commits()) {
        all.merge(commit.tid(), commit, FeedCut::joined);
      }
    }
    return List.copyOf(all.values());
  }

  private static Commit joined(Commit one, Commit other) {
    List<Change> changes = new ArrayList<>(one.changes());
    changes.addAll(other.changes());
    return new Commit(one.tid(), one.clock(), changes);
  }

  private static List<Commit> ordered(List<Commit> commits) {
    return commits.stream()
        .map(commit -> new Placed(commit, Sum.of(commit.clock())))
        .sorted(ORDER)
        .map(Placed::commit)
        .toList();
  }
}
