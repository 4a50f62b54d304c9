package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.storage.StorageException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which one node becomes a member, and the reasons for which it does not. A thread
 * that is interrupted stays so, and gets a {@link CancellationException}. Confined to the thread
 * that joins.
 */
final class JoinSteps {
  private static final Logger LOG = LoggerFactory.getLogger(JoinSteps.class);
  private static final long POLL_NANOS = 1_000_000;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long ANSWER_MILLIS_MAX = 1_000;
  private static final long OWN_ANSWER_MILLIS_MAX = 10_000;

  private final GridSettings settings;
  private final boolean ownsCaches;
  private final ForkTransport transport;
  private final JoinHandshake handshake;
  private final HostedNode node;
  private final TopologyInstaller topologies;
  private final BiFunction<Reason, String, JoinException> refuse;
  private final BooleanSupplier isLeaving;

  /**
   * For one node.
   *
   * @param refuse notes why the node does not join
   */
  JoinSteps(
      GridSettings settings,
      boolean ownsCaches,
      ForkTransport transport,
      JoinHandshake handshake,
      HostedNode node,
      TopologyInstaller topologies,
      BiFunction<Reason, String, JoinException> refuse,
      BooleanSupplier isLeaving) {
    this.settings = settings;
    this.ownsCaches = ownsCaches;
    this.transport = transport;
    this.handshake = handshake;
    this.node = node;
    this.topologies = topologies;
    this.refuse = refuse;
    this.isLeaving = isLeaving;
  }

  /**
   * Asks the members for the grid's settings. If no member is there, this node founds the grid,
   * together with the others that it sees. Where they are too few for that, it stays for a while:
   * were each node to start again at once, none of them would be there for the next one to join.
   *
   * @param objection says why it must not found a grid together with the others that it sees then;
   *     null: it may
   */
  void checkFit(boolean founds, Supplier<@Nullable String> objection) {
    Set<NodeId> others = transport.others();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Bootstrap.stayMillis());
    String why = askAll(objection);
    while (why != null && !handshake.isAnswered()) {
      checkInterrupted();
      if (System.nanoTime() - end > 0 || transport.others().isEmpty()) {
        throw refuse.apply(Reason.LEFT_ALONE, why);
      }
      LockSupport.parkNanos(POLL_NANOS);
      why = askAll(objection);
    }
    topologies.beginning().joins(founds && why == null, !others.isEmpty());
  }

  /** Asks the others, and then whether a grid may be founded with them; null: it may. */
  private @Nullable String askAll(Supplier<@Nullable String> objection) {
    String misfit = handshake.misfit(transport::others, answerMillisMax());
    if (misfit != null) {
      throw refuse.apply(Reason.SETTINGS_DIFFER, misfit);
    }
    return objection.get();
  }

  /**
   * The time for which others may take to answer. In an Infinispan of the node's own all others are
   * nodes of the grid, of which one that does not answer is busy; in a user's, others may not be.
   */
  private long answerMillisMax() {
    long most = ownsCaches ? OWN_ANSWER_MILLIS_MAX : ANSWER_MILLIS_MAX;
    return Math.min(most, settings.joinTimeoutMillis() / 2);
  }

  /**
   * Waits until this node has its part, for as long as something of it comes, and until the others
   * that wait for theirs have those. Where Infinispan gives it none for now, {@link
   * #checkAvailable} and {@link #awaitSettled} tell why.
   */
  void awaitPart(GridCache cache) {
    if (cache.givesNothing()) {
      return;
    }
    Arrivals arrivals =
        new Arrivals(() -> node.counters().stateBytes() + cache.topologyId(), System::nanoTime);
    long joinNanos = TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
    long told = System.nanoTime();
    while (!topologies.isComplete() && !isLeaving.getAsBoolean()) {
      checkInterrupted();
      if (node.failure() != null) {
        throw new IllegalStateException("stopped while it was joining");
      }
      String missing = topologies.missing();
      boolean isOthersTurn = missing == null && cache.isRebalancing();
      if (arrivals.nanosWithout() >= (isOthersTurn ? Arrivals.NANOS_MAX : joinNanos)) {
        checkAvailable();
        throw notComplete(missing);
      }
      if (System.nanoTime() - told >= PROGRESS_NANOS) {
        told = System.nanoTime();
        LOG.warn("{} joins grid '{}': {}", node.self(), settings.name(), progress(missing));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private String progress(@Nullable String missing) {
    return String.format(
        Locale.ROOT, "%,d bytes have come, %s", node.counters().stateBytes(), waitsFor(missing));
  }

  private JoinException notComplete(@Nullable String missing) {
    return refuse.apply(
        Reason.TIMED_OUT,
        String.format(
            Locale.ROOT,
            "no complete copy of this node's part of grid '%s', of which nothing has come for"
                + " %d ms: %s",
            settings.name(),
            settings.joinTimeoutMillis(),
            waitsFor(missing)));
  }

  private static String waitsFor(@Nullable String missing) {
    return missing == null ? "others wait for their copies" : missing;
  }

  void checkAvailable() {
    Availability availability = topologies.availability();
    if (availability.isDegraded()) {
      throw refuse.apply(
          availability.wasCutOff() ? Reason.LEFT_ALONE : Reason.GRID_DEGRADED,
          String.format(
              Locale.ROOT,
              "grid '%s' has lost shards or half of its nodes and waits for them",
              settings.name()));
    }
  }

  /** The other members install the last topology at about the same time, not before. */
  void awaitSettled() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
    while (!node.isSettled() && !isLeaving.getAsBoolean() && deadline > System.nanoTime()) {
      checkInterrupted();
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (!isLeaving.getAsBoolean() && !topologies.hasInstalled()) {
      throw refuse.apply(
          Reason.GRID_DEGRADED,
          String.format(
              Locale.ROOT,
              "grid '%s' gives this node no share of its data: it has probably lost half of its nodes,"
                  + " or a shard, and takes no member until the lost ones answer again. Ask 'canopy"
                  + " status' at the nodes that are left; where the lost ones cannot come back as"
                  + " they were, stop those that are left and start the grid anew",
              settings.name()));
    }
  }

  /** The grid is founded once its first topology is flushed at all members. */
  void checkFounded() {
    if (topologies.beginning().isFounded() || isLeaving.getAsBoolean()) {
      return;
    }
    if (!node.isSettled()) {
      throw refuse.apply(
          Reason.TIMED_OUT, topologies.beginning().notFounded("not all of its members are ready"));
    }
    topologies.beginning().founded();
  }

  private void checkInterrupted() {
    checkInterrupted(settings.name());
  }

  static void checkInterrupted(String grid) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted while joining grid '" + grid + "'");
    }
  }

  /** Why this node did not join, where its thread was interrupted. */
  RuntimeException interrupted(RuntimeException cause) {
    if (cause instanceof CancellationException) {
      return cause;
    }
    CancellationException why =
        new CancellationException("interrupted while joining grid '" + settings.name() + "'");
    why.initCause(cause);
    return why;
  }

  /**
   * Why this node did not join, perhaps while it was waiting for its shards.
   *
   * @param thrown what has ended its joining
   * @param refused the reason that was noted first; null: none was
   */
  JoinException failure(RuntimeException thrown, @Nullable JoinException refused) {
    Throwable halted = node.failure();
    Throwable cause = halted == null ? thrown : halted;
    StorageException disk = diskFailure(cause);
    if (disk != null) {
      return new JoinException(Reason.FAILED, notJoined(disk), disk);
    }
    if (refused != null) {
      return refused;
    }
    if (cause instanceof JoinException known) {
      return known;
    }
    boolean passes = isOfALeaderThatWent(cause);
    return new JoinException(passes ? Reason.LEFT_ALONE : Reason.FAILED, notJoined(cause), cause);
  }

  /**
   * Whether Infinispan has failed on an answer of a leader that another one had followed meanwhile:
   * while a grid is founded from disks the answer has no stable topology, and Infinispan (16.0)
   * wants to log its id. To try again helps.
   */
  static boolean isOfALeaderThatWent(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StackTraceElement[] at = root.getStackTrace();
    return root instanceof NullPointerException
        && at.length > 0
        && at[0].getClassName().equals("org.infinispan.topology.LocalTopologyManagerImpl");
  }

  private static @Nullable StorageException diskFailure(Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && !(cause instanceof StorageException)) {
      cause = cause.getCause();
    }
    return (StorageException) cause;
  }

  private String notJoined(Throwable cause) {
    return String.format(
        Locale.ROOT, "cannot join grid '%s': %s", settings.name(), cause.getMessage());
  }
}
