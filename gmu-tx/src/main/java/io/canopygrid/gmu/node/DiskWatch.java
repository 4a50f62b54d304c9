package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether a node's disk has the room that is kept back. Confined to one thread at a time. */
final class DiskWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

  private final NodeId self;
  private final DiskReserve reserve;
  private @Nullable String full;

  DiskWatch(NodeId self, DiskReserve reserve) {
    this.self = self;
    this.reserve = reserve;
  }

  /** Looks; true: {@link #full} has changed. */
  boolean look() {
    long free = reserve.free().getAsLong();
    if (free < 0) {
      return false;
    }
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
    return !Objects.equals(before, full);
  }

  /** The disk that has no room, in words; null: there is room. */
  @Nullable String full() {
    return full;
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
