package io.canopygrid.btree.control;

import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.RepeatedRounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the cut-off where it should be. Every node has one, which looks at the node's own subtrees
 * about once per second, and finishes what another node left unfinished there; the controller at
 * the crown's primary asks the other nodes, decides and changes. When that node dies or leaves, the
 * controller of the next primary goes on: all that is remembered is in the tree itself.
 *
 * <p>{@link #start} makes it work on a thread of its own; {@link #round} is one step of that, and
 * is not to be called beside it.
 */
public final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** New subtrees must have been watched for so many intervals before the next decision. */
  private static final double SETTLE_INTERVALS = 1.5;

  /** Looking takes at most about one part in so many of a thread's time. */
  private static final int IDLE_PARTS = 20;

  /** The longest pause: a look that had to wait for others says nothing about the next one. */
  private static final int PAUSE_INTERVALS_MAX = 16;

  private final GmuNode node;
  private final LoadRecorder recorder;
  private final Reports reports;
  private final Reshaping reshaping;
  private final ChangeRuns runs;
  private final BalanceLimits limits;
  private final BalancePolicy policy;
  private final Map<Integer, Integer> entriesMax = new HashMap<>();

  /** The headers of own subtrees that were closing at the last look. */
  private Map<Long, byte[]> closing = Map.of();

  private final RepeatedRounds rounds;
  private long settledNanos;
  private long lookNanos;

  private final AtomicLong made = new AtomicLong();

  /** Says what all other nodes serve and use. */
  @FunctionalInterface
  public interface Reports {
    /** The loads of all that answer: what is at the others stays as it is. */
    List<NodeLoad> gather();
  }

  /** The controller of a node. */
  public Controller(
      GmuNode node,
      LoadRecorder recorder,
      Reports reports,
      Reshaping reshaping,
      ChangeRuns runs,
      BalancePolicy policy,
      BalanceLimits limits) {
    this.node = node;
    this.recorder = recorder;
    this.reports = reports;
    this.reshaping = reshaping;
    this.runs = runs;
    this.limits = limits;
    this.policy = policy;
    this.settledNanos = node.threads().nanoTime();
    this.rounds = new RepeatedRounds(node.threads(), "canopy-balance-" + node.self());
  }

  /** Works on a thread of its own until it is closed. */
  public void start() {
    rounds.start(
        this::round,
        this::pauseNanos,
        e -> LOG.debug("the balance was not looked at, or a change did not end", e));
  }

  /** A large crown is looked at less often. */
  private long pauseNanos() {
    long most = PAUSE_INTERVALS_MAX * intervalNanos();
    return Math.max(intervalNanos(), Math.min(IDLE_PARTS * lookNanos, most));
  }

  private long intervalNanos() {
    return TimeUnit.MILLISECONDS.toNanos(limits.intervalMillis());
  }

  /** The number of changes that the controller has made or tried. */
  public long made() {
    return made.get();
  }

  /** The subtrees that this node serves and uses, as of now. */
  public NodeLoad own() {
    return recorder.look();
  }

  /** Looks at the own subtrees; the node that decides also decides and changes. */
  public void round() throws TimeoutException {
    long beganNanos = node.threads().nanoTime();
    NodeLoad own = own();
    settleWhatWasLeft(own.served());
    lookNanos = node.threads().nanoTime() - beganNanos;
    if (!limits.enabled()) {
      return;
    }
    if (!isInCharge()) {
      policy.reset();
      return;
    }
    removeRetired();
    for (PlannedChange change : decide(own)) {
      ChangeLog.Entry entry = runs.run(change, this::isInCharge);
      LOG.debug("{}", entry);
      made.incrementAndGet();
      settledNanos = node.threads().nanoTime() + (long) (SETTLE_INTERVALS * intervalNanos());
      if (!isInCharge()) {
        return;
      }
    }
  }

  /** Where a node is silent some are left for later, which must not stop the rest. */
  private void removeRetired() {
    try {
      reshaping.removeRetired();
    } catch (TimeoutException e) {
      LOG.debug("not all retired subtrees were removed in time", e);
    }
  }

  /**
   * Finishes a part that was left closing: the node that made the change may have died in the
   * middle of it. Writers finish such a part, too, but only where there are any. A part that cannot
   * be finished in time does not stop the round.
   */
  private void settleWhatWasLeft(List<SubtreeLoad> own) {
    Map<Long, byte[]> now = new HashMap<>();
    try {
      for (SubtreeLoad subtree : own) {
        byte[] header = reshaping.closing(subtree.kcl());
        if (header == null) {
          continue;
        }
        if (Arrays.equals(header, closing.get(subtree.kcl()))) {
          reshaping.settle(subtree.kcl());
        } else {
          now.put(subtree.kcl(), header);
        }
      }
      closing = now;
    } catch (TimeoutException e) {
      LOG.debug("not all parts that were left closing were finished in time", e);
    }
  }

  /** Whether this node's controller is the one that decides. */
  public boolean isInCharge() {
    Topology topology = node.topology();
    List<NodeId> owners = topology.shard(topology.top()).owners();
    return !rounds.isClosed()
        && node.isReady()
        && !owners.isEmpty()
        && owners.get(0).equals(node.self());
  }

  private List<PlannedChange> decide(NodeLoad own) throws TimeoutException {
    if (node.threads().nanoTime() - settledNanos < 0 || isRebalancing()) {
      return List.of();
    }
    List<NodeLoad> all = new ArrayList<>(reports.gather());
    all.add(own);
    GridLoad grid = GridLoad.of(node, all, entriesMax);
    for (PlacedSubtree subtree : grid.subtrees()) {
      if (subtree.node() != null && !entriesMax.containsKey(subtree.index())) {
        entriesMax.put(subtree.index(), reshaping.entriesMax(subtree.kcl()));
      }
    }
    Set<Integer> there =
        grid.subtrees().stream().map(PlacedSubtree::index).collect(Collectors.toSet());
    entriesMax.keySet().retainAll(there);
    return policy.decide(grid);
  }

  /** While copies of shards move, nodes have more or less than they will have. */
  private boolean isRebalancing() {
    Topology topology = node.topology();
    return topology.shards().stream().anyMatch(shard -> !shard.learners().isEmpty());
  }

  @Override
  public void close() {
    rounds.close();
  }
}
