package io.canopygrid.btree.ledger;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.VersionChain;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The time of the grid in milliseconds, as one node sees it: an entry of TOP, and what has passed
 * since the node saw it first. The primary of TOP adds to the entry what has passed by its own
 * monotonic clock, and validates that no other node has added meanwhile. So the entry never runs
 * faster than time itself, whatever the wall clocks of the machines say; it stands still where TOP
 * does not serve. It begins with the wall clock of the node that founded the grid, and has nothing
 * to do with any wall clock from then on.
 *
 * <p>No promise rests on it but that names of commits stay usable for as long as they should
 * (decision 7). {@link #millis} may be asked by any thread; the rest is confined to one.
 */
public final class GridTime {
  /** So many times the interval of advances are added at once, at most: a clock may have jumped. */
  private static final int INTERVALS_MAX = 2;

  private static final long TIMEOUT_MILLIS = 10_000;
  private static final CompositeKey KEY = ReservedKcl.TIME.key(new byte[] {1});
  private static final byte VERSION = 1;

  private final GmuNode node;
  private final MachineTime machine;
  private final LedgerLimits limits;
  private volatile Sight sight;

  /**
   * A time of the grid, and when this node saw it first by its monotonic clock.
   *
   * @param agreed whether it is the grid's; false: the grid has none yet, it is the machine's
   */
  private record Sight(long millis, long nanos, boolean agreed) {}

  /** The time as a node sees it. */
  public GridTime(GmuNode node, MachineTime machine, LedgerLimits limits) {
    this.node = node;
    this.machine = machine;
    this.limits = limits;
    this.sight =
        new Sight(machine.wallMillis().getAsLong(), machine.monotonicNanos().getAsLong(), false);
  }

  /** The time now. It may lag behind that of other nodes, and go back a little. */
  public long millis() {
    if (!sight.agreed) {
      look();
    }
    Sight now = sight;
    return now.millis + sinceMillis(now, machine.monotonicNanos().getAsLong());
  }

  /** The time that all nodes have agreed on last, as far as this node knows; -1: none yet. */
  long agreedMillis() {
    Sight now = sight;
    return now.agreed ? now.millis : -1;
  }

  private long sinceMillis(Sight since, long nanos) {
    long passed = TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos - since.nanos));
    return since.agreed ? Math.min(passed, INTERVALS_MAX * limits.advanceMillis()) : passed;
  }

  /** Takes notice of what others have agreed on; the node in charge advances it where it is due. */
  void round() throws TimeoutException {
    look();
    Sight now = sight;
    boolean due = !now.agreed || sinceMillis(now, monotonicNanos()) >= limits.advanceMillis();
    if (due && isInCharge()) {
      advance();
    }
  }

  private void look() {
    VersionChain here = node.top().get(KEY.bytes());
    byte[] value = here == null ? null : here.newestValue();
    if (value != null) {
      notice(decode(value));
    }
  }

  private long monotonicNanos() {
    return machine.monotonicNanos().getAsLong();
  }

  /** A time below the one known already comes from a copy that lags. */
  private void notice(long millis) {
    Sight now = sight;
    if (!now.agreed || millis > now.millis) {
      sight = new Sight(millis, monotonicNanos(), true);
    }
  }

  /** Whether this node is the one that advances the time. Two that think so do no harm. */
  private boolean isInCharge() {
    Topology topology = node.topology();
    List<NodeId> owners = topology.shard(topology.top()).owners();
    return node.isReady() && !owners.isEmpty() && owners.get(0).equals(node.self());
  }

  /** Adds what has passed since this node saw the time first; founds it where there is none. */
  private void advance() throws TimeoutException {
    long deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      if (!(transaction.read(new ReadQuery.Get(KEY)) instanceof ReadAnswer.Got got)) {
        return;
      }
      byte[] found = got.value();
      Sight before = sight;
      if (found != null && (!before.agreed || decode(found) != before.millis)) {
        notice(decode(found));
        return;
      }
      long nanos = monotonicNanos();
      long next = next(before, found, nanos);
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(KEY, got.seen())),
              List.of(),
              List.of(new Write(KEY, encode(next), null)));
      if (transaction.commit(footprint, CommitLedger.LABEL) instanceof Outcome.Committed) {
        sight = new Sight(next, nanos, true);
      }
    } finally {
      transaction.end();
    }
  }

  private long next(Sight before, byte @Nullable [] found, long nanos) {
    return found == null
        ? machine.wallMillis().getAsLong()
        : before.millis + sinceMillis(before, nanos);
  }

  private static byte[] encode(long millis) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(VERSION).putLong(millis).array();
  }

  private static long decode(byte[] value) {
    return ByteBuffer.wrap(value).getLong(1);
  }
}
