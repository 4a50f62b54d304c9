package io.canopygrid.gmu.store;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import java.util.ArrayDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one key, newest first; a chain is its newest version and the chain below it.
 * Immutable, so readers hold on to a chain while the next version is installed above it.
 *
 * <p>Ordered by sequence number, then transaction: two versions of one key never share a number at
 * the primary, so the second part only makes the order total. A version at or below the horizon may
 * have dropped its clock: {@link VectorClock#ZERO} admits everyone, and every running transaction
 * has the horizon below it.
 */
public abstract sealed class VersionChain {
  private final long sequenceNumber;
  private final byte @Nullable [] value;

  private VersionChain(long sequenceNumber, byte @Nullable [] value) {
    this.sequenceNumber = sequenceNumber;
    this.value = value;
  }

  /**
   * A chain of one version.
   *
   * @param value becomes the chain's own; null: a tombstone
   */
  public static VersionChain of(
      TxId tid, TxId writer, long sequenceNumber, VectorClock clock, byte @Nullable [] value) {
    return of(tid, writer, sequenceNumber, clock, value, null);
  }

  /**
   * A chain as it was sent by another node: its newest version, and those below it.
   *
   * @throws io.canopygrid.gmu.InvariantViolation if the new version does not belong above the
   *     others
   */
  public static VersionChain of(
      TxId tid,
      TxId writer,
      long sequenceNumber,
      VectorClock clock,
      byte @Nullable [] value,
      @Nullable VersionChain older) {
    VersionChain chain = made(tid, writer, sequenceNumber, clock, value, older);
    Invariant.holds(
        older == null || chain.follows(older), "versions out of order: %s on %s", chain, older);
    return chain;
  }

  /** A version in the form that takes least: most are the only ones of their keys, and old. */
  private static VersionChain made(
      TxId tid,
      TxId writer,
      long sequenceNumber,
      VectorClock clock,
      byte @Nullable [] value,
      @Nullable VersionChain older) {
    return older == null && clock.size() == 0
        ? new SoleVersion(tid, writer, sequenceNumber, value)
        : new Recent(tid, writer, sequenceNumber, clock, value, older);
  }

  /** The transaction that committed this version. */
  public abstract TxId tid();

  /** The transaction whose write this is; differs from {@link #tid()} where the entry was moved. */
  public abstract TxId writer();

  /** The commit's sequence number in its shard. */
  public long sequenceNumber() {
    return sequenceNumber;
  }

  /** The writer's commit clock; zero where the version is known to be below the horizon. */
  public abstract VectorClock clock();

  /**
   * The value, not to be changed; null: a tombstone.
   *
   * @throws IllegalStateException it is {@linkplain #isCold cold}
   */
  public byte @Nullable [] value() {
    return value;
  }

  /** The number of bytes of the value; 0 for a tombstone. */
  public int size() {
    return value == null ? 0 : value.length;
  }

  /** Whether the value is on the disk only (docs/internals/storage.md, Larger than memory). */
  public boolean isCold() {
    return false;
  }

  /** Whether it can be {@link #cold}: it has a value, and every snapshot sees it. */
  public boolean canBeCold() {
    return false;
  }

  /** The same without the value, which is on the disk. */
  public VersionChain cold() {
    throw Invariant.violation("not every snapshot sees " + this);
  }

  /**
   * A cold version: the only one of its key, below the horizon, with its value on the disk.
   *
   * @param size of the value
   */
  public static VersionChain cold(TxId tid, TxId writer, long sequenceNumber, int size) {
    return new ColdVersion(tid, writer, sequenceNumber, size);
  }

  /** A cold version with its value, which becomes the chain's own. */
  public VersionChain warm(byte[] read) {
    Invariant.holds(isCold() && read.length == size(), "not the value of %s", this);
    return new SoleVersion(tid(), writer(), sequenceNumber, read);
  }

  /** The version below this one, and those below that. */
  public abstract @Nullable VersionChain older();

  /** The mark that a transaction which reads this version keeps of the key. */
  public Seen seen() {
    return isMovedAway() ? Seen.ABSENT : new Seen(writer(), isTombstone());
  }

  /** Whether it says only that the key was moved to another kcl: as if there were no version. */
  public boolean isMovedAway() {
    return isTombstone() && writer().equals(TxId.NOBODY);
  }

  public boolean isTombstone() {
    return value == null;
  }

  /**
   * The chain with every version of another: {@code versions} is merged in at its place in the
   * order, a version that is in both counts once. Costs what stands above the lowest new version.
   */
  public static VersionChain install(@Nullable VersionChain chain, VersionChain versions) {
    if (chain == null) {
      return versions;
    }
    if (versions.older() == null && versions.follows(chain)) {
      return versions.above(chain);
    }
    ArrayDeque<VersionChain> above = new ArrayDeque<>();
    VersionChain a = chain;
    VersionChain b = versions;
    while (a != null && b != null) {
      if (a.isSame(b)) {
        above.push(a.isCold() ? b : a);
        a = a.older();
        b = b.older();
      } else if (a.follows(b)) {
        above.push(a);
        a = a.older();
      } else {
        above.push(b);
        b = b.older();
      }
    }
    return stack(above, a != null ? a : b);
  }

  /**
   * The chain with the value of its cold version, which is the lowest one.
   *
   * @param values tells the value; null: it is gone, as newer versions have made it garbage, and so
   *     is the version
   * @return null: nothing is left
   */
  public @Nullable VersionChain warmed(Function<VersionChain, byte @Nullable []> values) {
    ArrayDeque<VersionChain> above = new ArrayDeque<>();
    VersionChain v = this;
    while (v != null && !v.isCold()) {
      above.push(v);
      v = v.older();
    }
    if (v == null) {
      return this;
    }
    byte[] value = values.apply(v);
    VersionChain base = value == null ? null : v.warm(value);
    return above.isEmpty() ? base : stack(above, base);
  }

  /** Whether a version of it is cold. */
  public boolean hasCold() {
    return oldest().isCold();
  }

  /** The versions of this chain with a higher number than this one; null: there is none. */
  public @Nullable VersionChain above(long number) {
    ArrayDeque<VersionChain> above = new ArrayDeque<>();
    VersionChain v = this;
    while (v != null && v.sequenceNumber > number) {
      above.push(v);
      v = v.older();
    }
    return above.isEmpty() ? null : v == null ? this : stack(above, null);
  }

  /**
   * The newest version that a snapshot admits (protocol.md, Read, step 3): on each shard that was
   * read, this version's clock is at most the snapshot's.
   *
   * @param hasRead the shards read, this one included
   */
  public @Nullable VersionChain visibleTo(VectorClock snapshot, ShardSet hasRead) {
    VersionChain v = this;
    while (v != null && !v.clock().precedesOrEqualsOn(hasRead, snapshot)) {
      v = v.older();
    }
    return v;
  }

  /**
   * The chain without what no snapshot at or above the horizon can need (protocol.md, Garbage): the
   * versions under the newest that is at or below it, and a tombstone that is left alone. Null:
   * nothing is left. The chain itself where nothing changes.
   */
  public @Nullable VersionChain prune(VectorClock horizon) {
    ArrayDeque<VersionChain> above = new ArrayDeque<>();
    VersionChain base = this;
    while (base != null && !base.clock().precedesOrEquals(horizon)) {
      above.push(base);
      base = base.older();
    }
    if (base == null) {
      return this;
    }
    if (above.isEmpty() && base.isTombstone()) {
      return null;
    }
    if (base.older() == null && base.clock().equals(VectorClock.ZERO)) {
      return this;
    }
    return stack(
        above,
        made(base.tid(), base.writer(), base.sequenceNumber, VectorClock.ZERO, base.value, null));
  }

  /** The value of the newest version that has one; null: none has. */
  public byte @Nullable [] newestValue() {
    VersionChain v = this;
    while (v != null && v.isTombstone()) {
      v = v.older();
    }
    return v == null ? null : v.value();
  }

  /** The lowest version. */
  public VersionChain oldest() {
    VersionChain v = this;
    while (v.older() != null) {
      v = v.older();
    }
    return v;
  }

  /** The number of versions. */
  public int length() {
    int length = 0;
    for (VersionChain v = this; v != null; v = v.older()) {
      length++;
    }
    return length;
  }

  /** Checks the order of the versions. */
  public void check() {
    for (VersionChain v = this; v.older() != null; v = v.older()) {
      Invariant.holds(v.follows(v.older()), "versions out of order: %s on %s", v, v.older());
    }
  }

  private static VersionChain stack(ArrayDeque<VersionChain> above, @Nullable VersionChain base) {
    VersionChain chain = base;
    for (VersionChain v : above) {
      chain = v.above(chain);
    }
    if (chain == null) {
      throw Invariant.violation("a chain has a version");
    }
    return chain;
  }

  /** This version above others. */
  VersionChain above(@Nullable VersionChain below) {
    return below == older() ? this : made(tid(), writer(), sequenceNumber, clock(), value, below);
  }

  private boolean follows(VersionChain other) {
    return compareVersion(other) > 0;
  }

  /** Compares the newest version of this chain with that of another: the higher one is newer. */
  public int compareVersion(VersionChain other) {
    return sequenceNumber != other.sequenceNumber
        ? Long.compare(sequenceNumber, other.sequenceNumber)
        : tid().compareTo(other.tid());
  }

  private boolean isSame(VersionChain other) {
    return sequenceNumber == other.sequenceNumber && tid().equals(other.tid());
  }

  @Override
  public String toString() {
    return tid() + "@" + sequenceNumber + (isTombstone() ? " deleted" : "");
  }

  /** A version that may have others below it, or that not every snapshot sees. */
  private static final class Recent extends VersionChain {
    private final TxId tid;
    private final TxId writer;
    private final VectorClock clock;
    private final @Nullable VersionChain older;

    Recent(
        TxId tid,
        TxId writer,
        long sequenceNumber,
        VectorClock clock,
        byte @Nullable [] value,
        @Nullable VersionChain older) {
      super(sequenceNumber, value);
      this.tid = tid;
      this.writer = writer;
      this.clock = clock;
      this.older = older;
    }

    @Override
    public TxId tid() {
      return tid;
    }

    @Override
    public TxId writer() {
      return writer;
    }

    @Override
    public VectorClock clock() {
      return clock;
    }

    @Override
    public @Nullable VersionChain older() {
      return older;
    }
  }

  /**
   * The only version of its key, below the horizon: a store at rest consists of these. It has the
   * parts of its writer's id instead of an object, which only this version would keep alive.
   */
  private static sealed class SoleVersion extends VersionChain permits ColdVersion {
    private final NodeId coordinator;
    private final long counter;

    /** The transaction that moved it here with many others; null: it is where its writer put it. */
    private final @Nullable TxId mover;

    SoleVersion(TxId tid, TxId writer, long sequenceNumber, byte @Nullable [] value) {
      super(sequenceNumber, value);
      this.coordinator = writer.coordinator();
      this.counter = writer.counter();
      this.mover = tid.equals(writer) ? null : tid;
    }

    @Override
    public TxId tid() {
      return mover == null ? writer() : mover;
    }

    @Override
    public TxId writer() {
      return new TxId(coordinator, counter);
    }

    @Override
    public VectorClock clock() {
      return VectorClock.ZERO;
    }

    @Override
    public @Nullable VersionChain older() {
      return null;
    }

    @Override
    public boolean canBeCold() {
      return !isTombstone();
    }

    @Override
    public VersionChain cold() {
      return new ColdVersion(tid(), writer(), sequenceNumber(), size());
    }
  }

  /** A sole version with its value on the disk only. */
  private static final class ColdVersion extends SoleVersion {
    private final int size;

    ColdVersion(TxId tid, TxId writer, long sequenceNumber, int size) {
      super(tid, writer, sequenceNumber, null);
      this.size = size;
    }

    @Override
    public byte @Nullable [] value() {
      throw new IllegalStateException("the value is on the disk: " + this);
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public boolean isCold() {
      return true;
    }

    @Override
    public boolean isTombstone() {
      return false;
    }

    @Override
    public boolean canBeCold() {
      return false;
    }

    /** Versions below one that every snapshot sees are garbage. */
    @Override
    VersionChain above(@Nullable VersionChain below) {
      return this;
    }
  }
}
