package io.canopygrid.client.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.client.server.Replies;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.Pace;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The place of a transaction: its server, its number there, and whether it has begun there. Used by
 * the transaction's thread; {@link #end} is used by others too.
 */
final class Link {
  private static final Backoff AGAIN = new Backoff(2_000_000, 250_000_000);

  private final ClusterView cluster;
  private final Begin how;
  private volatile @Nullable Connection connection;
  private volatile int number;
  private volatile boolean begun;
  private String avoid = "";

  /** The named snapshot that it reads: the name that was asked for, then the exact one. */
  private volatile String snapshot;

  /** Whether the snapshot was looked up for this transaction itself. */
  private boolean lookedUp;

  Link(ClusterView cluster, Begin how) {
    this.cluster = cluster;
    this.how = how;
    this.snapshot = how.snapshot();
  }

  /** The named snapshot that it reads, exactly; empty: none. */
  String snapshot() {
    if (!snapshot.isEmpty() && !SnapshotNames.isExact(snapshot)) {
      snapshot = cluster.snapshots().exact(snapshot, false);
    }
    return snapshot;
  }

  /**
   * Whether another snapshot has the name now, which is read instead. Called when a server does not
   * know the snapshot that this handle knew by the name.
   */
  boolean hasAnotherSnapshot() {
    if (lookedUp || how.snapshot().isEmpty() || SnapshotNames.isExact(how.snapshot())) {
      return false;
    }
    lookedUp = true;
    snapshot = cluster.snapshots().exact(how.snapshot(), true);
    return true;
  }

  @Nullable Connection connection() {
    return connection;
  }

  /** Whether its server knows the transaction. */
  boolean isBegun() {
    return begun;
  }

  void begun() {
    begun = true;
  }

  /** The request that was to begin it has failed: the next one begins it again. */
  void unbegun() {
    end();
    Connection at = connection;
    if (at != null) {
      number = at.nextTransaction();
    }
  }

  /** The transaction's connection; chosen by a key as long as it has none. */
  Connection connect(RemoteIndex index, byte[] key) {
    snapshot();
    Connection chosen = connection;
    if (chosen != null && (begun || chosen.isUsable())) {
      return chosen;
    }
    for (int attempt = 1; ; attempt++) {
      try {
        chosen =
            avoid.isEmpty()
                ? cluster.servers().to(wish(index, key), how.deadlineNanos())
                : cluster.servers().other(avoid, how.deadlineNanos());
        cluster.grid().check(how.grid(), chosen);
        number = chosen.nextTransaction();
        connection = chosen;
        return chosen;
      } catch (CanopyException e) {
        AGAIN.pause(attempt, how.deadlineNanos(), Pace.MACHINE);
        if (e.code() != ErrorCode.NOT_CONNECTED
            || how.deadlineNanos() - System.nanoTime() <= 0
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private String wish(RemoteIndex index, byte[] key) {
    if (how.readFrom() == ReadFrom.NEAREST) {
      return "";
    }
    return cluster.routing().addressOf(index, key);
  }

  /** Begins at another server, since this one is lost or leaves, and has told nothing. */
  void elsewhere(int attempt, @Nullable LostConnectionException lost) {
    Connection before = connection;
    begun = false;
    connection = null;
    if (before != null) {
      avoid = before.address();
    }
    if (lost != null && lost.code() != ErrorCode.NOT_CONNECTED) {
      throw new CanopyException(lost.code(), String.valueOf(lost.getMessage()), lost);
    }
    AGAIN.pause(attempt, how.deadlineNanos(), Pace.MACHINE);
    if (lost != null && how.deadlineNanos() - System.nanoTime() <= 0) {
      throw Replies.lost(lost, null);
    }
  }

  /** Whether a server refuses to begin something because it is about to stop. */
  static boolean isElsewhere(Reply.Failure failure) {
    return failure.code() == ErrorCode.NOT_CONNECTED.number();
  }

  /** The part of the next request that says which transaction it is of. */
  Step step(Function<VectorClock, VectorClock> say, List<Step.Write> writes) {
    return new Step(number, begun ? null : begin(say), writes, false);
  }

  private Step.Begin begin(Function<VectorClock, VectorClock> say) {
    return begin(how, connection, snapshot, say);
  }

  /**
   * The beginning of a transaction, or of a function, at a server. A token of the caller's is said
   * apart from what the session has seen, which would hide that a power cut has taken what the
   * token names.
   */
  static Step.Begin begin(
      Begin how, @Nullable Connection at, String snapshot, Function<VectorClock, VectorClock> say) {
    long millis = TimeUnit.NANOSECONDS.toMillis(how.deadlineNanos() - System.nanoTime());
    long features = at == null ? 0 : at.welcome().features();
    boolean apart = (features & WireLimits.FEATURE_TOKENS) != 0;
    boolean traced = (features & WireLimits.FEATURE_TRACES) != 0;
    return new Step.Begin(
        Step.Mode.valueOf(how.mode().name()),
        how.readFrom(),
        Math.max(1, millis),
        how.label(),
        snapshot,
        say.apply(apart ? how.seen() : how.after()),
        apart ? how.token() : VectorClock.ZERO,
        traced ? how.traceParent() : "");
  }

  /** Ends the transaction at its server, without effect. */
  void end() {
    Connection at = connection;
    if (begun && at != null) {
      begun = false;
      Request.End end = new Request.End(number);
      if (how.mode() == Mode.READ_ONLY) {
        at.sayLater(end);
      } else {
        at.say(end); // another one may wait behind it for its turn at a key
      }
    }
  }

  /**
   * Notes that a commit was sent: the server ends the transaction, whether the commit succeeds or
   * not.
   */
  void committing() {
    begun = false;
  }
}
