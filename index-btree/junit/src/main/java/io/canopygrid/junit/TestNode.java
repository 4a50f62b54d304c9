package io.canopygrid.junit;

import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One node of a grid, which can be down, and cut off from the others. */
final class TestNode {
  private final int number;

  /** Null: it is alone, without a network. */
  private final @Nullable ClusterConfig config;

  private volatile @Nullable EmbeddedCanopy running;

  /** The way in which it went down, or "not started". */
  private volatile String gone = "not started";

  private volatile boolean cutOff;

  /** Of the first start of the first node. */
  private final @Nullable ClusterConfig founds;

  /** A node that is alone. */
  TestNode(int number) {
    this.number = number;
    config = null;
    founds = null;
  }

  /**
   * A node among others.
   *
   * @param founds the configuration in place of the other one when it founds the grid
   */
  TestNode(int number, ClusterConfig config, ClusterConfig founds) {
    this.number = number;
    this.config = config;
    this.founds = founds;
  }

  boolean isRunning() {
    return running != null;
  }

  /** The node as the others reach it: empty where it does not run or is cut off. */
  Optional<EmbeddedCanopy> reached() {
    return cutOff ? Optional.empty() : Optional.ofNullable(running);
  }

  /** Whether it has ended by itself and for good, as a node does that is cut off for too long. */
  boolean hasFailed() {
    EmbeddedCanopy now = running;
    return now != null && now.failure().isPresent();
  }

  EmbeddedCanopy handle() {
    EmbeddedCanopy now = running;
    if (now == null) {
      throw new IllegalStateException(
          "node " + number + " was " + gone + ": start(" + number + ") starts it again");
    }
    return now;
  }

  /** Starts as the first node of a new grid. */
  void found() {
    start(founds);
  }

  void start() {
    if (running == null) {
      heal();
      start(config);
    }
  }

  private void start(@Nullable ClusterConfig as) {
    running = as == null ? EmbeddedCanopy.start() : EmbeddedCanopy.join(as);
  }

  void stop() {
    EmbeddedCanopy handle = handle();
    down("stopped");
    handle.close();
  }

  /** The others hear nothing of its end, as they would not of a process that is killed. */
  void kill() {
    EmbeddedCanopy handle = handle();
    down("killed");
    if (config != null) {
      SeverableLink.sever(config.port());
    }
    handle.abandon();
  }

  /** Ends as fast as it can, when the grid is not needed any more. */
  void discard() {
    EmbeddedCanopy handle = running;
    down("ended with its grid");
    heal();
    if (handle != null) {
      handle.abandon();
    }
  }

  private void down(String how) {
    gone = how;
    running = null;
  }

  void cutOff() {
    if (config == null) {
      throw new IllegalStateException(
          "a single node has no network to be cut off from: @CanopyTest(nodes = 3)");
    }
    handle();
    cutOff = true;
    SeverableLink.sever(config.port());
  }

  void heal() {
    cutOff = false;
    if (config != null) {
      SeverableLink.join(config.port());
    }
  }

  /** For people: the number, and how it is. */
  @Override
  public String toString() {
    String runs = cutOff ? "cut off" : "running";
    return "node " + number + ": " + (running == null ? gone : runs);
  }
}
