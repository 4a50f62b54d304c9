package io.canopygrid.junit;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The nodes of a test's grid, all in this JVM, and the faults that a test can give them. Nodes have
 * numbers, beginning with 0. Thread-safe: faults can be given while other threads use the nodes.
 */
public final class CanopyGrid {
  private static final int START_TRIES_MAX = 5;
  private static final long WHOLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final GridSite site;
  private final List<TestNode> nodes;

  /** Whether there has been a fault since the grid was whole. */
  private boolean disturbed;

  private CanopyGrid(GridSite site) {
    this.site = site;
    nodes = site.nodes();
  }

  /** Starts a grid; at other ports where some have just been taken. */
  static CanopyGrid start(GridShape shape) {
    for (int tries = 1; ; tries++) {
      CanopyGrid grid = new CanopyGrid(GridSite.of(shape));
      try {
        grid.found();
        return grid;
      } catch (RuntimeException | Error e) {
        grid.close();
        if (tries == START_TRIES_MAX
            || !(e instanceof CanopyException coded && coded.code() == ErrorCode.PORT_IN_USE)) {
          throw e;
        }
      }
    }
  }

  /** The first node founds the grid, at once as nobody else is there; then the others join. */
  private void found() {
    nodes.get(0).found();
    together(nodes.subList(1, nodes.size()), TestNode::start);
  }

  /** The number of nodes, running or not. */
  public int nodes() {
    return nodes.size();
  }

  /**
   * A node. The handle is closed when the node is stopped or killed; after it was started again it
   * has another one.
   *
   * @throws IllegalStateException where it does not run
   */
  public EmbeddedCanopy node(int node) {
    return at(node).handle();
  }

  /** Whether a node runs; also where it is cut off. */
  public boolean isRunning(int node) {
    return at(node).isRunning();
  }

  /**
   * Ends a node as {@code kill -9} of its process does: it hands over nothing, and the others have
   * to find out. Without a copy on another node or on disk its data is gone.
   *
   * @throws IllegalStateException where it does not run
   */
  public synchronized void kill(int node) {
    disturbed = true;
    at(node).kill();
  }

  /**
   * Stops a node in order: the others have its data when this returns.
   *
   * @throws IllegalStateException where it does not run
   */
  public synchronized void stop(int node) {
    disturbed = true;
    at(node).stop();
  }

  /**
   * Starts nodes, all at the same time, and returns when they have their share of the data. A node
   * that runs already goes on. Nodes on disk that were all stopped wait for each other: start them
   * with one call.
   *
   * @throws CanopyException as {@link EmbeddedCanopy#join(ClusterConfig)}
   */
  public synchronized void start(int... node) {
    together(Arrays.stream(node).mapToObj(this::at).toList(), TestNode::start);
  }

  /** Does it with some nodes at the same time, and throws what was thrown first. */
  private static void together(List<TestNode> some, Consumer<TestNode> action) {
    List<CompletableFuture<Void>> all =
        some.stream()
            .map(node ->
                CompletableFuture.runAsync(
                    () -> action.accept(node), task -> new Thread(task, "canopy-test").start()))
            .toList();
    CompletionException failure = null;
    for (CompletableFuture<Void> one : all) {
      try {
        one.join();
      } catch (CompletionException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure.getCause() instanceof RuntimeException own ? own : failure;
    }
  }

  /**
   * Cuts a node off: it hears no other node, and none hears it, though all connections stay open,
   * as when a cable is pulled. Each side finds out after 2 seconds of silence. Several nodes that
   * are cut off do not hear each other either.
   *
   * @throws IllegalStateException where it does not run, or is the only one and has no network
   */
  public synchronized void cutOff(int node) {
    disturbed = true;
    at(node).cutOff();
  }

  /** Puts all nodes that were cut off back on the network. They become members by themselves. */
  public synchronized void heal() {
    nodes.stream().filter(TestNode::isRunning).forEach(TestNode::heal);
  }

  /**
   * Returns when the nodes that run, without those that are cut off, are one grid and have as many
   * copies of all data as they should. Data that a second node takes with it is safe then.
   *
   * @throws IllegalStateException after a minute, where no node runs, and where the thread is
   *     interrupted
   */
  public void awaitCopies() {
    if (nodes.stream().allMatch(node -> node.reached().isEmpty())) {
      throw new IllegalStateException("no node is there: " + nodes);
    }
    long deadline = System.nanoTime() + WHOLE_NANOS_MAX;
    while (!hasCopies()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while the nodes become one grid: " + nodes);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the nodes have not become one grid within a minute: " + nodes);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean hasCopies() {
    List<EmbeddedCanopy> reached = nodes.stream().flatMap(node -> node.reached().stream()).toList();
    if (reached.isEmpty()) {
      return false; // All have gone meanwhile.
    }
    int copies = Math.min(GridSite.OWNERS, reached.size()) * (reached.get(0).shards() - 1);
    try {
      return reached.stream().allMatch(node -> node.members() == reached.size())
          && reached.stream().mapToInt(EmbeddedCanopy::ownedShards).sum() == copies;
    } catch (CanopyException e) {
      return false; // It becomes a member again.
    }
  }

  /**
   * Ends all faults: heals the network, starts all nodes that do not run, and returns when they are
   * one grid with all copies. Does nothing where there are no faults.
   */
  public synchronized void makeWhole() {
    if (disturbed) {
      heal();
      nodes.stream().filter(TestNode::hasFailed).forEach(TestNode::kill);
      together(nodes, TestNode::start);
      awaitCopies();
      disturbed = false;
    }
  }

  private TestNode at(int node) {
    if (node < 0 || node >= nodes.size()) {
      throw new IllegalArgumentException("nodes are 0 to " + (nodes.size() - 1) + ": node=" + node);
    }
    return nodes.get(node);
  }

  /** For people: how each node is. */
  @Override
  public String toString() {
    return nodes.toString();
  }

  /** Ends the grid with all that is of it. */
  synchronized void close() {
    try {
      together(nodes, TestNode::discard);
    } finally {
      site.delete();
    }
  }
}
