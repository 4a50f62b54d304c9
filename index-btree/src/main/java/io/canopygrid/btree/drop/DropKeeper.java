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
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes away what is left of dropped indexes. Each node empties and removes the subtrees whose
 * primary it is; the primary of TOP forgets the drop at last. All that is remembered is in the grid
 * itself, so any node may end at any point. A subtree whose shard does not answer is left for
 * later, after all others.
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

  private final DroppedSubtrees left;

  /**
   * The subtrees of this node that are to be taken away, by their kcls. One at which this fails is
   * found again in the next round of {@link #left}, after all others.
   */
  private final Map<Long, CrownEntry> waiting = new LinkedHashMap<>();

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
    this.left = new DroppedSubtrees(limits.scannedMax());
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
    Marking marking = new Marking();
    for (DropEntry drop : drops) {
      marking.add(drop.index().firstSubtree());
      Crown.entriesOf(node.top(), drop.index().number()).forEach(entry -> marking.add(entry.kcl()));
    }
    if (!marking.run()) {
      LOG.debug("the rest of {} is left to the nodes that have it", drops);
    }
  }

  /** The marking of the subtrees of one drop. Confined to one thread. */
  private final class Marking {
    private final long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.markMillis());
    private final Set<Long> known = new HashSet<>();
    private final List<Long> next = new ArrayList<>();

    /** Nodes that have not answered. All others come first: each of these takes its time. */
    private final Set<NodeId> silent = new HashSet<>();

    void add(long kcl) {
      if (known.add(kcl)) {
        next.add(kcl);
      }
    }

    /** Whether all have been asked in time. */
    boolean run() {
      Deque<List<Long>> groups = new ArrayDeque<>();
      Deque<List<Long>> late = new ArrayDeque<>();
      // The crown may lag behind, but each subtree is some other's right neighbour.
      while (!next.isEmpty() || !groups.isEmpty() || !late.isEmpty()) {
        if (deadlineNanos - node.threads().nanoTime() <= 0) {
          return false;
        }
        groups.addAll(byShard(next));
        next.clear();
        boolean isLate = groups.isEmpty();
        List<Long> group = isLate ? late.remove() : groups.remove();
        if (!isLate && silent.contains(primaryOf(group.get(0)))) {
          late.add(group);
        } else {
          mark(group);
        }
      }
      return true;
    }

    private void mark(List<Long> group) {
      NodeId primary = primaryOf(group.get(0));
      try {
        transactions.mark(group).forEach(this::add);
      } catch (TimeoutException | RuntimeException e) {
        if (primary != null) {
          silent.add(primary);
        }
        LOG.debug("{} are left to the node that has them", group, e);
      }
    }
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
  public void round() {
    forgotten.run();
    long endNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.roundMillis());
    DroppedSubtrees.Part part = left.next(node.top());
    if (waiting.size() < limits.scannedMax()) {
      part.subtrees().stream()
          .filter(entry -> isPrimaryOf(entry.kcl()))
          .forEach(entry -> waiting.putIfAbsent(entry.kcl(), entry));
    }
    takeAway(endNanos);
    Topology topology = node.topology();
    if (isFirst(topology.shard(topology.top()).owners())) {
      for (DropEntry.Known known : part.empty()) {
        forget(known, endNanos);
      }
    }
  }

  /** Works at the subtrees in turn, a transaction at each, until all are away or time is over. */
  private void takeAway(long endNanos) {
    while (!waiting.isEmpty() && endNanos - node.threads().nanoTime() > 0) {
      CrownEntry entry = waiting.values().iterator().next();
      waiting.remove(entry.kcl());
      try {
        if (isPrimaryOf(entry.kcl()) && !step(entry)) {
          waiting.put(entry.kcl(), entry);
        }
      } catch (TimeoutException | RuntimeException e) {
        LOG.debug("{} of a dropped index is left for later", entry, e);
      }
    }
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
  private void forget(DropEntry.Known known, long endNanos) {
    if (known.seenByAll() && endNanos - node.threads().nanoTime() > 0) {
      try {
        transactions.forget(known.drop());
      } catch (TimeoutException | RuntimeException e) {
        LOG.debug("the note of {} is left for later", known.drop(), e);
      }
    }
  }

  /** The primary of a subtree; null: it has none. */
  private @Nullable NodeId primaryOf(long kcl) {
    List<NodeId> owners = node.topology().shard(node.shardMap().shardOf(kcl)).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  private boolean isPrimaryOf(long kcl) {
    return node.self().equals(primaryOf(kcl));
  }

  private boolean isFirst(List<NodeId> owners) {
    return !owners.isEmpty() && owners.get(0).equals(node.self());
  }

  @Override
  public void close() {
    rounds.close();
  }
}
