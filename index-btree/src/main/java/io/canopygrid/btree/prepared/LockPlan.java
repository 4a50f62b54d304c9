package io.canopygrid.btree.prepared;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a transaction needs in each subtree: on each key that it has read or writes, and
 * on each range that it has scanned. Where there are many, neighbours become one lock that is
 * wider.
 */
final class LockPlan {
  /** Most locks of one kind of one transaction in a subtree. */
  static final int LOCKS_MAX = 32;

  private final Map<Long, Parts> parts = new TreeMap<>();

  private LockPlan() {}

  /** A range of keys; {@code to} exclusive, null: the end of the index. */
  private record Part(byte[] from, byte @Nullable [] to) {}

  /** The parts of one subtree that are used. */
  private static final class Parts {
    final List<Part> read = new ArrayList<>();
    final List<Part> written = new ArrayList<>();
  }

  /** The locks by subtree. */
  static Map<Long, List<KeyLock>> of(long owner, Footprint footprint) {
    LockPlan plan = new LockPlan();
    plan.addReads(footprint.reads());
    plan.addRanges(footprint.ranges());
    plan.addWrites(footprint.writes());
    Map<Long, List<KeyLock>> locks = new TreeMap<>();
    plan.parts.forEach((kcl, used) -> {
      List<KeyLock> all = new ArrayList<>();
      merged(used.read).forEach(part -> all.add(KeyLock.of(owner, false, part.from, part.to)));
      merged(used.written).forEach(part -> all.add(KeyLock.of(owner, true, part.from, part.to)));
      locks.put(kcl, all);
    });
    return locks;
  }

  void addReads(List<KeyRead> reads) {
    for (KeyRead read : reads) {
      if (EntryKeys.isEntry(read.key())) {
        of(read.key().kcl()).read.add(point(EntryKeys.userKey(read.key())));
      }
    }
  }

  /** A range has what was found there, and what was not there. */
  void addRanges(List<RangeRead> ranges) {
    for (RangeRead range : ranges) {
      byte[] to = range.to() == null ? null : EntryKeys.userKey(range.to());
      of(range.kcl()).read.add(new Part(EntryKeys.userKey(range.from()), to));
    }
  }

  void addWrites(List<Write> writes) {
    for (Write write : writes) {
      of(write.key().kcl()).written.add(point(EntryKeys.userKey(write.key())));
    }
  }

  private Parts of(long kcl) {
    return parts.computeIfAbsent(kcl, any -> new Parts());
  }

  private static Part point(byte[] key) {
    return new Part(key, KeyRange.successor(key));
  }

  /** The same keys in disjoint parts, in order, and more keys where that makes them few enough. */
  private static List<Part> merged(List<Part> parts) {
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort((a, b) -> Keys.ORDER.compare(a.from, b.from));
    List<Part> disjoint = new ArrayList<>();
    for (Part part : sorted) {
      int last = disjoint.size() - 1;
      if (last >= 0 && reaches(disjoint.get(last), part.from)) {
        disjoint.set(last, joined(disjoint.get(last), part));
      } else {
        disjoint.add(part);
      }
    }
    int each = (disjoint.size() + LOCKS_MAX - 1) / LOCKS_MAX;
    if (each <= 1) {
      return disjoint;
    }
    List<Part> few = new ArrayList<>(LOCKS_MAX);
    for (int i = 0; i < disjoint.size(); i += each) {
      int end = Math.min(disjoint.size(), i + each) - 1;
      few.add(new Part(disjoint.get(i).from, disjoint.get(end).to));
    }
    return few;
  }

  private static boolean reaches(Part part, byte[] key) {
    return part.to == null || Arrays.compareUnsigned(key, part.to) <= 0;
  }

  private static Part joined(Part a, Part b) {
    boolean further = a.to != null && (b.to == null || Arrays.compareUnsigned(b.to, a.to) > 0);
    return further ? new Part(a.from, b.to) : a;
  }
}
