package io.canopygrid.gmu.store;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The log of a shard (protocol.md, Words): its applied commits by sequence number, then
 * transaction, without those that no snapshot can need. One thread writes; others read a {@link
 * View} that was published to them safely.
 *
 * <p>Each entry carries the join of its clock and of all below it. A reader walks down from the
 * newest entry and can stop at the first whose join it may see: all entries below are visible too.
 * Dropped entries stay in the joins; they are below the horizon, so below every snapshot.
 */
public final class CommitLog {
  private static final Entry[] NONE = new Entry[0];

  private final int shard;
  private Entry[] entries = NONE;
  private int size;
  private long applied;
  private VectorClock join = VectorClock.ZERO;

  public CommitLog(int shard) {
    this.shard = shard;
  }

  /** The newest sequence number ever in the log. */
  public long applied() {
    return applied;
  }

  public int size() {
    return size;
  }

  /** The entry at a place in the order, 0 the oldest. */
  public Entry entry(int place) {
    return entries[place];
  }

  /**
   * Puts a commit at its place; does nothing when it is there already. At the end this costs no
   * copy, elsewhere one of the array.
   *
   * @param keys what it wrote here: remembered so that its versions can be pruned with it
   */
  public void append(long sequenceNumber, TxId tid, VectorClock clock, List<CompositeKey> keys) {
    Invariant.holds(clock.get(shard) == sequenceNumber, "clock without its number: %s", tid);
    applied = Math.max(applied, sequenceNumber);
    int place = place(sequenceNumber, tid);
    if (place >= 0) {
      return;
    }
    place = -place - 1;
    if (place < size || size == entries.length) {
      Entry[] grown = new Entry[Math.max(8, size + 1 + (size >> 1))];
      System.arraycopy(entries, 0, grown, 0, place);
      System.arraycopy(entries, place, grown, place + 1, size - place);
      entries = grown;
    }
    join = join.join(clock);
    entries[place] = new Entry(sequenceNumber, tid, clock, new ArrayList<>(keys), clock);
    size++;
    rejoin(place);
  }

  /** Raises {@link #applied()}, when a copy takes over another's log. */
  public void raiseApplied(long sequenceNumber) {
    applied = Math.max(applied, sequenceNumber);
  }

  /**
   * Remembers one more key of a commit; does nothing when the commit is not in the log.
   *
   * @param mayBeKnown whether the key may be known already
   */
  public void addKey(long sequenceNumber, TxId tid, CompositeKey key, boolean mayBeKnown) {
    int place = place(sequenceNumber, tid);
    if (place >= 0 && !(mayBeKnown && entries[place].keys.contains(key))) {
      entries[place].keys.add(key);
    }
  }

  /** Drops the entries up to a number, as if they had never been in it, and returns them. */
  public List<Entry> dropUpTo(long sequenceNumber) {
    int end = 0;
    while (end < size && entries[end].sequenceNumber <= sequenceNumber) {
      end++;
    }
    List<Entry> dropped = List.of(Arrays.copyOf(entries, end));
    entries = Arrays.copyOfRange(entries, end, size);
    size = entries.length;
    rejoin(0);
    join = size == 0 ? VectorClock.ZERO : entries[size - 1].upTo;
    return dropped;
  }

  /**
   * Drops the entries at or below the horizon, in all components, and returns them. Looks at the
   * others only where their number is not above the horizon's own component.
   */
  public List<Entry> truncateBelow(VectorClock horizon) {
    long limit = horizon.get(shard);
    int end = 0;
    List<Entry> dropped = new ArrayList<>();
    List<Entry> kept = new ArrayList<>();
    while (end < size && entries[end].sequenceNumber <= limit) {
      Entry e = entries[end++];
      (e.clock.precedesOrEquals(horizon) ? dropped : kept).add(e);
    }
    if (dropped.isEmpty()) {
      return dropped;
    }
    Entry[] rest = Arrays.copyOf(kept.toArray(NONE), kept.size() + size - end);
    System.arraycopy(entries, end, rest, kept.size(), size - end);
    entries = rest;
    size = rest.length;
    return dropped;
  }

  /** The log now, which later appends do not change. */
  public View view() {
    return new View(entries, size, applied, join);
  }

  /** Checks the order of the entries, and their joins. */
  public void check() {
    for (int i = 1; i < size; i++) {
      Entry a = entries[i - 1];
      Entry b = entries[i];
      Invariant.holds(a.compareTo(b.sequenceNumber, b.tid) < 0, "log out of order: %s", b.tid);
      Invariant.holds(a.upTo.precedesOrEquals(b.upTo), "log with a wrong join: %s", b.tid);
    }
    Invariant.holds(
        size == 0 || entries[size - 1].sequenceNumber <= applied, "log above what is applied");
  }

  /** Joins again from a place on; replaces entries above it, as readers may hold the old ones. */
  private void rejoin(int place) {
    VectorClock below = place == 0 ? VectorClock.ZERO : entries[place - 1].upTo;
    for (int i = place; i < size; i++) {
      Entry e = entries[i];
      VectorClock upTo = e.clock.join(below);
      if (!upTo.equals(e.upTo)) {
        entries[i] = new Entry(e.sequenceNumber, e.tid, e.clock, e.keys, upTo);
      }
      below = upTo;
    }
  }

  private int place(long sequenceNumber, TxId tid) {
    if (size == 0 || entries[size - 1].compareTo(sequenceNumber, tid) < 0) {
      return -size - 1;
    }
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = entries[middle].compareTo(sequenceNumber, tid);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** An applied commit. */
  public static final class Entry {
    private final long sequenceNumber;
    private final TxId tid;
    private final VectorClock clock;
    private final List<CompositeKey> keys;
    private final VectorClock upTo;

    private Entry(
        long sequenceNumber,
        TxId tid,
        VectorClock clock,
        List<CompositeKey> keys,
        VectorClock upTo) {
      this.sequenceNumber = sequenceNumber;
      this.tid = tid;
      this.clock = clock;
      this.keys = keys;
      this.upTo = upTo;
    }

    public long sequenceNumber() {
      return sequenceNumber;
    }

    public TxId tid() {
      return tid;
    }

    public VectorClock clock() {
      return clock;
    }

    /**
     * The keys that it is known to have written in this shard: the writer's thread, and readers of
     * a view of a copy that is complete, of which no more become known.
     */
    public List<CompositeKey> keys() {
      return keys;
    }

    private int compareTo(long otherNumber, TxId otherTid) {
      return sequenceNumber != otherNumber
          ? Long.compare(sequenceNumber, otherNumber)
          : tid.compareTo(otherTid);
    }
  }

  /** The log at one moment. Immutable. */
  public static final class View {
    private final Entry[] entries;
    private final int size;
    private final long applied;
    private final VectorClock join;

    private View(Entry[] entries, int size, long applied, VectorClock join) {
      this.entries = entries;
      this.size = size;
      this.applied = applied;
      this.join = join;
    }

    /** The newest sequence number ever in the log. */
    public long applied() {
      return applied;
    }

    /** The number of entries. */
    public int size() {
      return size;
    }

    /** The entry at a place in the order, 0 the oldest. */
    public Entry entry(int place) {
      return entries[place];
    }

    /**
     * The highest number of a commit up to a bound; 0 where there is none but those that were
     * dropped, which are below every snapshot.
     */
    public long newest(long upTo) {
      int i = size - 1;
      while (i >= 0 && entries[i].sequenceNumber > upTo) {
        i--;
      }
      return i < 0 ? 0 : entries[i].sequenceNumber;
    }

    /**
     * The place of the first entry that may not be at or below a clock: all before it are. The
     * joins of the entries only grow, so this looks at few of them.
     */
    public int firstNotBelow(VectorClock clock) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (entries[middle].upTo.precedesOrEquals(clock)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /**
     * A snapshot's clock after its first read of a header here (protocol.md, Read): joined with
     * every entry that is at most the snapshot on each shard it has read before.
     *
     * @param snapshot a clock at or above the horizon, up to which entries may have been dropped,
     *     or those components of it on which this depends
     * @param hasRead the shards read so far, without this one; where there is none all is visible
     * @param upTo entries with a higher number are not there
     */
    public VectorClock extend(VectorClock snapshot, ShardSet hasRead, long upTo) {
      if (size == 0) {
        return snapshot;
      }
      if (hasRead.isEmpty() && upTo >= applied) {
        return snapshot.join(join);
      }
      VectorClock extended = snapshot;
      for (int i = size - 1; i >= 0; i--) {
        Entry e = entries[i];
        if (e.sequenceNumber > upTo) {
          continue;
        }
        if (e.upTo.precedesOrEqualsOn(hasRead, snapshot)) {
          return extended.join(e.upTo);
        }
        if (e.clock.precedesOrEqualsOn(hasRead, snapshot)) {
          extended = extended.join(e.clock);
        }
      }
      return extended;
    }
  }
}
