package io.canopygrid.gmu.protocol.lock;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.message.Message.TxRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a record needs, all at once (protocol.md, Prepare): exclusive on what it writes,
 * shared on what it read, keys and ranges, and shared on the header of each kcl it touches, unless
 * it writes that.
 */
public final class LockRequest {
  private final TxRecord rec;
  private final Map<CompositeKey, Write> exclusive;
  private final List<CompositeKey> reads;
  private final List<Range> ranges;
  private final Set<CompositeKey> headers;

  public LockRequest(TxRecord rec) {
    this.rec = rec;
    Footprint footprint = rec.footprint();
    exclusive = new HashMap<>(footprint.writes().size() * 2);
    reads = new ArrayList<>(footprint.reads().size());
    ranges = new ArrayList<>(footprint.ranges().size());
    headers = new LinkedHashSet<>();
    footprint.writes().forEach(write -> exclusive.put(write.key(), write));
    lockReads(footprint);
    lockRanges(footprint);
    lockHeaders(footprint);
  }

  /** Read keys are locked (Prepare). */
  void lockReads(Footprint footprint) {
    for (KeyRead read : footprint.reads()) {
      reads.add(read.key());
    }
  }

  /** Scanned ranges are locked (Prepare). */
  void lockRanges(Footprint footprint) {
    for (RangeRead range : footprint.ranges()) {
      ranges.add(Range.of(range));
    }
  }

  /** The headers of the kcls that are touched are locked (Prepare). */
  void lockHeaders(Footprint footprint) {
    for (Write write : footprint.writes()) {
      headers.add(CompositeKey.header(write.key().kcl()));
    }
    for (KeyRead read : footprint.reads()) {
      headers.add(CompositeKey.header(read.key().kcl()));
    }
    for (RangeRead range : footprint.ranges()) {
      headers.add(CompositeKey.header(range.kcl()));
    }
  }

  public TxRecord rec() {
    return rec;
  }

  Map<CompositeKey, Write> exclusive() {
    return exclusive;
  }

  /** The keys it read, which it may also write. */
  List<CompositeKey> reads() {
    return reads;
  }

  List<Range> ranges() {
    return ranges;
  }

  /** The headers of the kcls it touches. */
  Set<CompositeKey> headers() {
    return headers;
  }

  boolean writes(CompositeKey key) {
    return exclusive.containsKey(key);
  }

  /** A range of keys within one kcl; without an end it goes to the end of the kcl. */
  record Range(long kcl, CompositeKey from, @Nullable CompositeKey to) {
    static Range of(RangeRead range) {
      byte[] to = range.to();
      return new Range(
          range.kcl(),
          CompositeKey.of(range.kcl(), range.from()),
          to == null ? null : CompositeKey.of(range.kcl(), to));
    }

    boolean contains(CompositeKey key) {
      return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }
  }
}
