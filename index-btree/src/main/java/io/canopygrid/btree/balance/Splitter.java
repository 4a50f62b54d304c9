package io.canopygrid.btree.balance;

import io.canopygrid.btree.balance.ShiftTransactions.Step;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits the subtrees that have grown too large at the node that is their primary, on a thread of
 * its own. Thread-safe.
 */
public final class Splitter implements GmuNode.GrowthListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Splitter.class);

  /** No index splits smaller subtrees, so growth up to here needs no look. */
  private static final int ENTRIES_MAX_LEAST = 1;

  private final GmuNode node;
  private final ShiftTransactions transactions;
  private final ShiftSteps steps;
  private final Reshaping reshaping;
  private final SplitLimits limits;
  private final NodeThreads.Worker worker;

  /** The entries that a subtree may have, as its header says; the number never changes. */
  private final Map<Long, Integer> entriesMax = new ConcurrentHashMap<>();

  private final LongAdder failures = new LongAdder();

  /** Subtrees whose split waits or runs. */
  private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

  /** Splits what grows at a node until it is closed. */
  public Splitter(GmuNode node, NewSubtrees subtrees, SplitLimits limits) {
    this.node = node;
    this.transactions = new ShiftTransactions(node, subtrees, limits);
    this.steps = new ShiftSteps(node, transactions, limits);
    this.reshaping = new Reshaping(node, transactions, steps);
    this.limits = limits;
    this.worker = node.threads().worker("canopy-split-" + node.self(), limits.waitingMax());
    node.onGrowth(this);
  }

  @Override
  public void grew(long kcl, long entries) {
    if (entries > ENTRIES_MAX_LEAST
        && SubtreeHeader.isSubtree(kcl)
        && entries > entriesMax.getOrDefault(kcl, 0)) {
      submit(kcl, () -> splitWhileTooLarge(kcl));
    }
  }

  /** The changes of subtrees on demand. */
  public Reshaping reshaping() {
    return reshaping;
  }

  /** Finishes the shift of a subtree that was left closing, on the splitter's own thread. */
  public void settle(long kcl) {
    submit(kcl, () -> steps.finish(kcl) == Step.DONE);
  }

  /** Submits a task, unless another one is under way with the subtree. */
  private void submit(long kcl, Task task) {
    if (!underWay.add(kcl)) {
      return;
    }
    if (!worker.submit(() -> run(kcl, task))) {
      underWay.remove(kcl);
      LOG.debug("no split of {}: {} wait already, or the node is closed", kcl, underWay.size());
    }
  }

  /** The number of subtrees that wait for a split here, or are being split. */
  public int underWay() {
    return underWay.size();
  }

  /** The number of splits that ended by an error that should not be. */
  public long failures() {
    return failures.sum();
  }

  /** The number of splits of an index that this node made. */
  public long splits(int index) {
    return transactions.splits(index);
  }

  /**
   * Waits a while for the split under way. Other nodes have to finish a part that it leaves
   * closing.
   */
  @Override
  public void close() {
    worker.close(limits.closeMillis());
  }

  /** Something to be done with a subtree; true: it may have to be split again. */
  private interface Task {
    boolean run() throws TimeoutException;
  }

  private void run(long kcl, Task task) {
    boolean goOn = false;
    try {
      goOn = task.run();
    } catch (TimeoutException e) {
      LOG.debug("split of {} did not end in time", kcl, e);
    } catch (RuntimeException e) {
      if (!worker.isClosed()) {
        failures.increment();
        LOG.error("split of {} failed", kcl, e);
      }
    } finally {
      underWay.remove(kcl);
    }
    if (goOn) {
      grew(kcl, node.entries(kcl));
    }
  }

  private boolean splitWhileTooLarge(long kcl) throws TimeoutException {
    Integer most = most(kcl);
    if (most == null) {
      return false;
    }
    while (node.entries(kcl) > most) {
      if (!splitOnce(kcl)) {
        return false;
      }
    }
    return true;
  }

  private boolean splitOnce(long kcl) throws TimeoutException {
    SubtreeChangeEvent event = new SubtreeChangeEvent();
    long entries = node.entries(kcl);
    Step step =
        steps.shift(
            kcl,
            header -> {
              event.of(header.index());
              return half(kcl, header);
            });
    event.ended("SPLIT", "GROWN", kcl, entries, Reshaping.ending(step));
    return step == Step.DONE;
  }

  private @Nullable Demand half(long kcl, SubtreeHeader header) {
    long entries = node.entries(kcl);
    return entries <= header.entriesMax() ? null : Demand.split(entries, Closing.ANY_SHARD);
  }

  /** The entries that a subtree has at most; null: it is none any more, and is not split again. */
  private @Nullable Integer most(long kcl) throws TimeoutException {
    Integer known = entriesMax.get(kcl);
    if (known != null) {
      return known;
    }
    SubtreeHeader header = transactions.header(kcl);
    if (header == null) {
      return null;
    }
    entriesMax.put(kcl, header.entriesMax());
    return header.entriesMax();
  }
}
