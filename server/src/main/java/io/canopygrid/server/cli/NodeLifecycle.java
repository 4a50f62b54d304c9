package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionProvider;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.ServerJoin;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.functions.FunctionJars;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a node as long as its process lives. The node leaves the cluster in order on SIGTERM, on
 * Ctrl-C, and, if attached, when standard input ends. A second signal makes it wait no longer.
 */
final class NodeLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

  /**
   * The time that a node may take to leave once its clients are gone. A node that has not left by
   * then is halted, and the others take it for dead.
   */
  private static final long LEAVE_SECONDS_MAX = 20;

  /** After that time a node that takes longer is asked again whether copies still come. */
  private static final long HAND_OVER_SECONDS = 10;

  /** The time that an attached node may take to leave; its cluster is of no use any more. */
  private static final long LEAVE_ATTACHED_SECONDS_MAX = 5;

  /** The exit code after a node has stopped by itself; 3 is the JVM's, where memory is out. */
  private static final int STOPPED_BY_ITSELF = 4;

  /** The time that clients have to go once the node has stopped by itself. */
  private static final long END_SECONDS_MAX = 10;

  private final PrintWriter out;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final boolean abandons;
  private volatile boolean leftInOrder;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable EmbeddedCanopy running;

  /**
   * Not yet running.
   *
   * @param abandons whether it leaves at once when it is asked to stop, whatever is lost
   */
  NodeLifecycle(PrintWriter out, boolean abandons) {
    this.out = out;
    this.abandons = abandons;
  }

  /**
   * Runs the node.
   *
   * @param attached whether the end of standard input stops it
   * @return the exit code: 0, 1 where the node has not left in order or its disk has failed, or 4
   *     where it has stopped by itself
   * @throws CanopyException if the node cannot start
   */
  int run(Configuration configuration, boolean attached) throws InterruptedException {
    ServerConfig config = ServerConfig.of(configuration.values());
    long drainSeconds = TimeUnit.MILLISECONDS.toSeconds(config.limits().drainMillis());
    long leaveSeconds = config.cluster().leaveTimeout().toSeconds() + LEAVE_SECONDS_MAX;
    Thread hook = new Thread(() -> leaveOnSignal(drainSeconds + leaveSeconds), "canopy-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    if (attached) {
      Thread watch = new Thread(this::leaveAtEndOfInput, "canopy-input");
      watch.setDaemon(true);
      watch.start();
    }
    try {
      serve(config.cluster(), new ClientPort(config, configuration.effective()));
      if (failure != null) {
        return stoppedByItself();
      }
      leftInOrder = true;
      return 0;
    } catch (CanopyException e) {
      if (failure != null) {
        return stoppedByItself();
      }
      if (asked.getCount() > 0) {
        throw e;
      }
      LOG.error("{}", e.getMessage());
      return 1;
    } finally {
      ended.countDown();
      forget(hook);
    }
  }

  private void serve(ClusterConfig config, ClientPort clients) throws InterruptedException {
    List<FunctionProvider> functions =
        FunctionJars.load(clients.config().clients().functions().orElse(null));
    if (config.dataDirectory().isEmpty()) {
      LOG.warn("in memory: all data is gone when all nodes stop; data.directory keeps it on disk");
    }
    try (ReservedPort reserved = clients.reserve();
        WaitingClients waiting = new WaitingClients(clients, reserved);
        EmbeddedCanopy node = ServerJoin.join(config, waiting)) {
      waiting.end();
      running = node;
      FunctionJars.register(node, functions);
      serve(node, config, clients, reserved);
    }
  }

  private void serve(
      EmbeddedCanopy node, ClusterConfig config, ClientPort clients, ReservedPort reserved)
      throws InterruptedException {
    ServedNode served = node.served();
    served.leavesBy(new LeaveOnRequest(node::prepareToLeave, asked::countDown));
    try (Endpoint endpoint = clients.open(served, reserved)) {
      String port = config.port() == 0 ? "" : ":" + config.port();
      out.println(
          "READY "
              + config.name()
              + " "
              + config.bindAddress()
              + port
              + " clients "
              + endpoint.address()
              + " node "
              + served.displayName()
              + " grid "
              + node.grid().id()
              + " since "
              + node.grid().founded()
              + (node.hasFounded() ? " founded" : " joined"));
      out.flush();
      awaitStop(node);
    }
    if (abandons) {
      node.abandon();
    }
  }

  /** Returns when the node is asked to stop, or has stopped by itself. */
  private void awaitStop(EmbeddedCanopy node) throws InterruptedException {
    while (!asked.await(1, TimeUnit.SECONDS)) {
      failure = node.failure().orElse(null);
      if (failure != null) {
        Thread bound = new Thread(this::endInTime, "canopy-end");
        bound.setDaemon(true);
        bound.start();
        return;
      }
    }
  }

  private void endInTime() {
    if (!awaitEnd(END_SECONDS_MAX)) {
      Runtime.getRuntime().halt(stoppedByItself());
    }
  }

  /** Says why, in the last line of the log. */
  private int stoppedByItself() {
    if (failure instanceof CanopyException coded) {
      LOG.error("{}", coded.getMessage());
      return 1;
    }
    CanopyException why =
        new CanopyException(
            ErrorCode.INTERNAL_ERROR,
            "this node has stopped by itself, since it was in a state that must not be: "
                + failure
                + ". Start it again: it joins without data. Keep its log, and report it",
            failure);
    LOG.error("{}", why.getMessage());
    return STOPPED_BY_ITSELF;
  }

  /**
   * Leaves the cluster when a signal ends the JVM. The halt sets the exit code, which is never 0
   * otherwise.
   */
  private void leaveOnSignal(long secondsMax) {
    Signals.register("TERM", this::abandon);
    Signals.register("INT", this::abandon);
    asked.countDown();
    boolean hasEnded = awaitEnd(secondsMax);
    while (!hasEnded && isHandingOver()) {
      hasEnded = awaitEnd(HAND_OVER_SECONDS);
    }
    if (!hasEnded) {
      tellCutOff(secondsMax);
    }
    Runtime.getRuntime().halt(leftInOrder ? 0 : 1);
  }

  private boolean isHandingOver() {
    EmbeddedCanopy node = running;
    return node != null && node.isHandingOver();
  }

  /** Another signal says that the node is to wait for nothing, whatever is lost. */
  private void abandon() {
    EmbeddedCanopy node = running;
    if (node != null) {
      LOG.warn("asked to stop once more: leaves at once, with what it has");
      new Thread(node::abandon, "canopy-abandon").start();
    }
  }

  private void leaveAtEndOfInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      LOG.debug("Standard input cannot be read, which is taken for its end", e);
    }
    asked.countDown();
    if (!awaitEnd(LEAVE_ATTACHED_SECONDS_MAX)) {
      tellCutOff(LEAVE_ATTACHED_SECONDS_MAX);
      Runtime.getRuntime().halt(1);
    }
  }

  private static void tellCutOff(long seconds) {
    CanopyException why =
        new CanopyException(
            ErrorCode.LEFT_WITH_DATA,
            "has not left within " + seconds + " s, and is cut off: others take it for dead");
    LOG.error("{}", why.getMessage());
  }

  private boolean awaitEnd(long secondsMax) {
    try {
      return ended.await(secondsMax, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is already shutting down", e);
    }
  }
}
