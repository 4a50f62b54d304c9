package io.canopygrid.gmu.protocol.lock;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.lock.LockRequest.Range;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a transaction that has its locks may still commit (protocol.md, Prepare): the newest
 * header of each kcl covers what it touched, and the newest versions are by the writers it saw.
 */
public final class Validation {
  private final OrderedView<VersionChain> newest;
  private final Fences fences;

  /** Of the kcl looked at last: most transactions touch few. */
  private @Nullable Fence fence;

  public Validation(OrderedView<VersionChain> newest, Fences fences) {
    this.newest = newest;
    this.fences = fences;
  }

  /** Null: it may. */
  public @Nullable Refusal check(TxRecord rec) {
    Refusal moved = checkFences(rec.footprint());
    return moved != null ? moved : checkVersions(rec.footprint());
  }

  private @Nullable Refusal checkFences(Footprint footprint) {
    Set<Long> restructured = restructured(footprint);
    for (KeyRead read : footprint.reads()) {
      CompositeKey key = read.key();
      if (!key.isHeader() && !restructured.contains(key.kcl()) && !fence(key.kcl()).covers(key)) {
        return fence(key.kcl()).moved(key);
      }
    }
    for (RangeRead range : footprint.ranges()) {
      long kcl = range.kcl();
      if (!restructured.contains(kcl) && !fence(kcl).coversRange(range)) {
        return fence(kcl).moved(CompositeKey.of(kcl, range.from()));
      }
    }
    for (Write write : footprint.writes()) {
      CompositeKey key = write.key();
      if (!restructured.contains(key.kcl()) && !fence(key.kcl()).accepts(key)) {
        return fence(key.kcl()).moved(key);
      }
    }
    return null;
  }

  /** The kcls whose header it writes: it is not checked against those. */
  private static Set<Long> restructured(Footprint footprint) {
    Set<Long> kcls = Set.of();
    for (Write write : footprint.writes()) {
      if (write.key().isHeader()) {
        kcls = kcls.isEmpty() ? new HashSet<>() : kcls;
        kcls.add(write.key().kcl());
      }
    }
    return kcls;
  }

  private @Nullable Refusal checkVersions(Footprint footprint) {
    for (KeyRead read : footprint.reads()) {
      if (!isStill(read)) {
        return stale(read.key());
      }
    }
    return checkRanges(footprint);
  }

  /** Validates scanned ranges (Prepare): what was found, and that there is nothing else. */
  @Nullable Refusal checkRanges(Footprint footprint) {
    for (RangeRead range : footprint.ranges()) {
      Set<CompositeKey> found = new HashSet<>();
      for (KeyRead read : range.found()) {
        if (!isStill(read)) {
          return stale(read.key());
        }
        found.add(read.key());
      }
      CompositeKey unseen = keyOutside(found, Range.of(range));
      if (unseen != null) {
        return stale(unseen);
      }
    }
    return null;
  }

  /**
   * "No version" matches "absent", and a tombstone that was seen and has been dropped since. So
   * does the mark of a key that was moved away: where the kcl covers the key again, it was not
   * there when it came back.
   */
  private boolean isStill(KeyRead read) {
    VersionChain now = newest.get(read.key().bytes());
    Seen seen = read.seen();
    return (now == null || now.isMovedAway())
        ? seen.writer() == null || seen.tombstone()
        : now.writer().equals(seen.writer());
  }

  private @Nullable CompositeKey keyOutside(Set<CompositeKey> found, Range range) {
    OrderedCursor<VersionChain> cursor = newest.ascending(range.from().bytes());
    while (cursor.next()) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      if (key.kcl() != range.kcl() || !range.contains(key)) {
        return null;
      }
      if (!found.contains(key) && !cursor.value().isMovedAway()) {
        return key;
      }
    }
    return null;
  }

  private Refusal stale(CompositeKey key) {
    VersionChain now = newest.get(key.bytes());
    return new Refusal(AbortReason.STALE_READ, key, now == null ? null : now.writer(), null, null);
  }

  private Fence fence(long kcl) {
    Fence current = fence;
    if (current == null || current.kcl != kcl) {
      VersionChain header = newest.get(CompositeKey.header(kcl).bytes());
      current = new Fence(kcl, header == null ? null : header.newestValue());
      fence = current;
    }
    return current;
  }

  /**
   * The newest header of a kcl. A removed one is the last before, which covers nothing any more and
   * says where the keys went.
   */
  private final class Fence {
    private final long kcl;
    private final byte @Nullable [] header;
    private final boolean coversWithoutHeader;

    private Fence(long kcl, byte @Nullable [] header) {
      this.kcl = kcl;
      this.header = header;
      this.coversWithoutHeader = !fences.needsHeader(kcl);
    }

    boolean covers(CompositeKey key) {
      return header == null ? coversWithoutHeader : fences.covers(header, key.ku());
    }

    boolean coversRange(RangeRead range) {
      return header == null
          ? coversWithoutHeader
          : fences.coversRange(header, range.from(), range.to());
    }

    boolean accepts(CompositeKey key) {
      return header == null ? coversWithoutHeader : fences.accepts(header, key.ku());
    }

    Refusal moved(CompositeKey key) {
      return new Refusal(AbortReason.MOVED, key, null, null, header);
    }
  }
}
