package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves the reads and writes of a transaction in one subtree to the new places of their keys
 * (docs/decisions/0005). Keys that are still within the subtree's fences stay. A range that crosses
 * a fence is cut there, and its keys go with their part. Writers stay as they were read: a moved
 * entry keeps its writer, so a read that was valid is valid there. The read of a schema key goes to
 * each place that a write of rows goes to.
 */
public final class Rehoming {
  private final long kcl;
  private final SubtreeHeader header;
  private final Elsewhere elsewhere;
  private boolean changed;

  /** Where the writes of the subtree are now. */
  private final Set<Long> written = new LinkedHashSet<>();

  private Rehoming(long kcl, SubtreeHeader header, Elsewhere elsewhere) {
    this.kcl = kcl;
    this.header = header;
    this.elsewhere = elsewhere;
  }

  /** Finds the subtree of a key that a subtree does not cover, or one that is nearer to it. */
  public interface Elsewhere {
    /** Where to look next. */
    long of(long kcl, SubtreeHeader header, byte[] key);
  }

  /**
   * The footprint with the part of a subtree that it does not cover any more at its new place; the
   * very same one where it covers all.
   *
   * @param header the subtree's newest header
   */
  public static Footprint of(
      Footprint footprint, long kcl, SubtreeHeader header, Elsewhere elsewhere) {
    Rehoming rehoming = new Rehoming(kcl, header, elsewhere);
    List<Write> writes = rehoming.writes(footprint.writes());
    List<KeyRead> reads = rehoming.keyReads(footprint.reads());
    List<RangeRead> ranges = new ArrayList<>(footprint.ranges().size() + 1);
    for (RangeRead range : footprint.ranges()) {
      rehoming.addRange(range, ranges);
    }
    return rehoming.changed ? new Footprint(reads, ranges, writes) : footprint;
  }

  private List<KeyRead> keyReads(List<KeyRead> reads) {
    List<KeyRead> moved = new ArrayList<>(reads.size());
    Set<KeyRead> schemas = new LinkedHashSet<>();
    for (KeyRead read : reads) {
      if (EntryKeys.isSchema(read.key())) {
        addSchema(read, schemas);
        continue;
      }
      CompositeKey key = home(read.key());
      moved.add(key == null ? read : new KeyRead(key, read.seen()));
    }
    moved.addAll(schemas);
    return moved;
  }

  private void addSchema(KeyRead read, Set<KeyRead> schemas) {
    if (read.key().kcl() != kcl) {
      schemas.add(read);
      return;
    }
    for (long place : written) {
      CompositeKey key = EntryKeys.schema(place, EntryKeys.schemaOf(read.key()));
      schemas.add(new KeyRead(key, read.seen()));
    }
  }

  private List<Write> writes(List<Write> writes) {
    List<Write> moved = new ArrayList<>(writes.size());
    for (Write write : writes) {
      CompositeKey key = home(write.key());
      moved.add(key == null ? write : new Write(key, write.value(), write.origin()));
      if (write.key().kcl() == kcl) {
        written.add(key == null ? kcl : key.kcl());
      }
    }
    return moved;
  }

  /** A key's new place, null where it stays. */
  private @Nullable CompositeKey home(CompositeKey key) {
    if (key.kcl() != kcl) {
      return null;
    }
    byte[] userKey = EntryKeys.userKey(key);
    if (header.covers(userKey)) {
      return null;
    }
    changed = true;
    return EntryKeys.of(elsewhere.of(kcl, header, userKey), userKey);
  }

  private void addRange(RangeRead range, List<RangeRead> ranges) {
    if (range.kcl() != kcl) {
      ranges.add(range);
      return;
    }
    byte[] from = EntryKeys.userKey(range.from());
    byte[] to = range.to() == null ? null : EntryKeys.userKey(range.to());
    if (header.isRetired()) {
      addPart(range, from, to, ranges);
      return;
    }
    byte[] low = header.low();
    byte[] high = header.high();
    boolean below = Arrays.compareUnsigned(from, low) < 0;
    boolean above = high != null && (to == null || Arrays.compareUnsigned(to, high) > 0);
    if (!below && !above) {
      ranges.add(range);
      return;
    }
    byte[] start = below ? low : from;
    byte[] end = above ? high : to;
    if (below) {
      addPart(range, from, lower(low, to), ranges);
    }
    if (end == null || Arrays.compareUnsigned(start, end) < 0) {
      addPart(range, start, end, ranges);
    }
    if (above && high != null) {
      addPart(range, header.isBelowHigh(from) ? high : from, to, ranges);
    }
  }

  /** Adds the part of a range from a key to a key, which is covered whole or not at all. */
  private void addPart(RangeRead range, byte[] from, byte @Nullable [] to, List<RangeRead> ranges) {
    long target = kcl;
    if (!header.covers(from)) {
      changed = true;
      target = elsewhere.of(kcl, header, from);
    }
    List<KeyRead> found = new ArrayList<>();
    for (KeyRead read : range.found()) {
      byte[] ku = read.key().ku();
      if (EntryKeys.compare(ku, from) >= 0 && (to == null || EntryKeys.compare(ku, to) < 0)) {
        found.add(new KeyRead(CompositeKey.of(target, ku), read.seen()));
      }
    }
    ranges.add(new RangeRead(target, EntryKeys.ku(from), EntryKeys.endKu(to), found));
  }

  private static byte[] lower(byte[] a, byte @Nullable [] b) {
    return b == null || Arrays.compareUnsigned(a, b) <= 0 ? a : b;
  }
}
