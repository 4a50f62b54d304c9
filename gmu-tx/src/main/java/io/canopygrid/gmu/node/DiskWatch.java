package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.DiskTrouble.Kind;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows whether a node's disk has the room that is kept back, and is not slow. Thread-safe. */
final class DiskWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final NodeId self;
  private final DiskReserve reserve;

  // Guarded by this object.
  private @Nullable String full;
  private @Nullable String slow;

  DiskWatch(NodeId self, DiskReserve reserve) {
    this.self = self;
    this.reserve = reserve;
  }

  /** Looks at the room; true: {@link #trouble} has changed. */
  boolean look() {
    long free = reserve.free().getAsLong(); // a disk that hangs does not answer
    return free >= 0 && hasRoom(free);
  }

  private synchronized boolean hasRoom(long free) {
    String before = full;
    boolean isFull = free < (before == null ? reserve.bytes() : reserve.resumesAt());
    full = isFull ? words(free) : null;
    if (before == null && full != null) {
      LOG.warn("{} refuses puts as DISK_FULL: {}", self, full);
    } else if (before != null && full == null) {
      LOG.info(
          "{} takes puts again: the disk of {} has {} left",
          self,
          reserve.directory(),
          mebibytes(free));
    }
    return slow == null && !Objects.equals(before, full);
  }

  /**
   * The oldest step that is not stored has waited for so long.
   *
   * @return whether {@link #trouble} has changed
   */
  synchronized boolean waits(long nanos) {
    boolean isSlow = nanos >= SLOW_NANOS;
    if (isSlow == (slow != null)) {
      return false;
    }
    slow = isSlow ? slowWords() : null;
    if (isSlow) {
      LOG.warn("{} refuses writes as DISK_SLOW: {}", self, slow);
    } else {
      LOG.info("{} takes writes again: the disk of {} answers", self, reserve.directory());
    }
    return true;
  }

  /** The trouble of the disk; null: there is none. */
  synchronized @Nullable DiskTrouble trouble() {
    if (slow != null) {
      return new DiskTrouble(Kind.SLOW, slow);
    }
    return full == null ? null : new DiskTrouble(Kind.FULL, full);
  }

  private String slowWords() {
    return String.format(
        Locale.ROOT,
        "the disk of data directory %s at node %s has taken nothing for %d s: see what else uses"
            + " it, and whether it is failing",
        reserve.directory(),
        self,
        TimeUnit.NANOSECONDS.toSeconds(SLOW_NANOS));
  }

  private String words(long free) {
    return String.format(
        Locale.ROOT,
        "the disk of data directory %s at node %s has %s left, and data.reserve keeps back %s: free"
            + " or add room until %s are left",
        reserve.directory(),
        self,
        mebibytes(free),
        mebibytes(reserve.bytes()),
        mebibytes(reserve.resumesAt()));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%d MiB", bytes >> 20);
  }
}
