package io.canopygrid.btree.drop;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.RepeatedRounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes away what is left of dropped indexes. Each node empties and removes the subtrees whose
 * primary it is; the primary of TOP forgets the drop at last. All that is remembered is in the grid
 * itself, so any node may end at any point. A subtree whose shard does not answer is left for the
 * next round, and comes last there.
 *
 * <p>{@link #start} makes it work on a thread of its own; {@link #round} is one step of that, and
 * is not to be called beside it. {@link #mark} may be called on any thread.
 */
public final class DropKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DropKeeper.class);

  private final GmuNode node;
  private final DropTransactions transactions;
  private final DropLimits limits;
  private final Runnable forgotten;

  /** The subtrees of this node that could not be taken away in the last round. */
  private Set<Long> late = Set.of();

  private final RepeatedRounds rounds;

  /**
   * The keeper of a node.
   *
   * @param forgotten is called where drops may have been forgotten since the last time
   */
  public DropKeeper(GmuNode node, DropLimits limits, Runnable forgotten) {
    this.node = node;
    this.transactions = new DropTransactions(node, limits);
    this.limits = limits;
    this.forgotten = forgotten;
    this.rounds = new RepeatedRounds(node.threads(), "canopy-drops-" + node.self());
  }

  /** Works on a thread of its own until it is closed. */
  public void start() {
    rounds.start(
        this::round,
        () -> TimeUnit.MILLISECONDS.toNanos(limits.pauseMillis()),
        e -> LOG.debug("what is left of dropped indexes could not be looked at", e));
  }

  /**
   * Marks all subtrees of dropped indexes, so that nobody reads or writes them any more, but in
   * snapshots from before. Waits for a bounded time; subtrees that do not answer are left to their
   * nodes.
   */
  public void mark(Collection<DropEntry> drops) {
    long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.markMillis());
    Set<Long> known = new HashSet<>();
    List<Long> next = new ArrayList<>();
    drops.forEach(drop -> next.add(drop.index().firstSubtree()));
    for (CrownEntry entry : subtreesOf(numbersOf(drops))) {
      next.add(entry.kcl());
    }
    next.removeIf(kcl -> !known.add(kcl));
    // The crown may lag behind, but each subtree is some other's right neighbour.
    while (!next.isEmpty()) {
      List<Long> now = List.copyOf(next);
      next.clear();
      for (List<Long> group : byShard(now)) {
        if (deadlineNanos - node.threads().nanoTime() <= 0) {
          LOG.debug("the rest of {} is left to the nodes that have it", drops);
          return;
        }
        next.addAll(mark(group));
      }
      next.removeIf(kcl -> !known.add(kcl));
    }
  }

  private List<Long> mark(List<Long> group) {
    try {
      return transactions.mark(group);
    } catch (TimeoutException | RuntimeException e) {
      LOG.debug("{} are left to the node that has them", group, e);
      return List.of();
    }
  }

  private static Set<Integer> numbersOf(Collection<DropEntry> drops) {
    Set<Integer> numbers = new HashSet<>();
    drops.forEach(drop -> numbers.add(drop.index().number()));
    return numbers;
  }

  /** The subtrees of some indexes, as far as this node's copy of the crown knows. */
  private List<CrownEntry> subtreesOf(Set<Integer> indexes) {
    List<CrownEntry> subtrees = new ArrayList<>();
    Crown.forEach(
        node.top(),
        entry -> {
          if (indexes.contains(entry.index())) {
            subtrees.add(entry);
          }
        });
    return subtrees;
  }

  /** Subtrees in groups of one shard each, no larger than one transaction takes. */
  private List<List<Long>> byShard(List<Long> kcls) {
    Map<Integer, List<Long>> shards = new TreeMap<>();
    List<List<Long>> full = new ArrayList<>();
    for (long kcl : kcls) {
      int shard = node.shardMap().shardOf(kcl);
      List<Long> group = shards.computeIfAbsent(shard, any -> new ArrayList<>());
      group.add(kcl);
      if (group.size() == limits.headersMax()) {
        full.add(group);
        shards.remove(shard);
      }
    }
    full.addAll(shards.values());
    return full;
  }

  /** Takes away some of what is left, as far as this node is responsible for it. */
  public void round() throws TimeoutException {
    List<DropEntry.Known> drops = DropEntry.all(node.top());
    forgotten.run();
    if (drops.isEmpty()) {
      late = Set.of();
      return;
    }
    List<CrownEntry> left =
        subtreesOf(numbersOf(drops.stream().map(DropEntry.Known::drop).toList()));
    takeAway(left.stream().filter(entry -> isPrimaryOf(entry.kcl())).toList());
    Topology topology = node.topology();
    if (isFirst(topology.shard(topology.top()).owners())) {
      Set<Integer> there = new HashSet<>();
      left.forEach(entry -> there.add(entry.index()));
      drops.forEach(known -> forget(known, there));
    }
  }

  /** Works at the subtrees in turn, a transaction at each, until all are away or time is over. */
  private void takeAway(List<CrownEntry> own) {
    long endNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.roundMillis());
    Set<Long> failed = new HashSet<>();
    Queue<CrownEntry> waiting = new ArrayDeque<>();
    own.stream().filter(entry -> !late.contains(entry.kcl())).forEach(waiting::add);
    own.stream().filter(entry -> late.contains(entry.kcl())).forEach(waiting::add);
    while (!waiting.isEmpty() && endNanos - node.threads().nanoTime() > 0) {
      CrownEntry entry = waiting.remove();
      try {
        if (!step(entry)) {
          waiting.add(entry);
        }
      } catch (TimeoutException | RuntimeException e) {
        failed.add(entry.kcl());
        LOG.debug("{} of a dropped index is left for later", entry, e);
      }
    }
    late = failed;
  }

  /** One transaction; true: the subtree is away. */
  private boolean step(CrownEntry entry) throws TimeoutException {
    if (!transactions.empty(entry.kcl())) {
      return false;
    }
    transactions.remove(entry);
    return true;
  }

  /** Every snapshot in use must have seen the drop: an older one finds the index by it. */
  private void forget(DropEntry.Known known, Set<Integer> there) {
    if (known.seenByAll() && !there.contains(known.drop().index().number())) {
      try {
        transactions.forget(known.drop());
      } catch (TimeoutException | RuntimeException e) {
        LOG.debug("the note of {} is left for later", known.drop(), e);
      }
    }
  }

  private boolean isPrimaryOf(long kcl) {
    return isFirst(node.topology().shard(node.shardMap().shardOf(kcl)).owners());
  }

  private boolean isFirst(List<NodeId> owners) {
    return !owners.isEmpty() && owners.get(0).equals(node.self());
  }

  @Override
  public void close() {
    rounds.close();
  }
}
