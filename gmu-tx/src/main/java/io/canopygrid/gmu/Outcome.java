package io.canopygrid.gmu;

import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/** The outcome of a commit. */
public sealed interface Outcome {
  /**
   * All of it is applied at every primary and known to every owner.
   *
   * @param clock the commit clock; of a transaction without writes its snapshot
   */
  record Committed(VectorClock clock) implements Outcome {}

  /**
   * Nothing of it happened.
   *
   * @param key where it failed, null where no key is to blame
   * @param other the transaction in the way, where known
   * @param otherLabel its label, where known; for {@link AbortReason#DISK_FULL} and {@link
   *     AbortReason#DISK_SLOW} which disk it is, in words
   * @param header for {@link AbortReason#MOVED} the newest header of the key's kcl
   */
  record Aborted(
      AbortReason reason,
      @Nullable CompositeKey key,
      @Nullable TxId other,
      @Nullable String otherLabel,
      byte @Nullable [] header)
      implements Outcome {
    /** A shard cannot be asked, whichever. */
    public static final Aborted UNAVAILABLE =
        new Aborted(AbortReason.SHARD_UNAVAILABLE, null, null, null, null);
  }

  /** The answer did not come in time, and whether it is committed is not known here. */
  record Unknown() implements Outcome {}

  /** Why a commit was refused. */
  enum AbortReason {
    /** A key or range read has changed since. */
    STALE_READ,
    /** A lock was not free in time. */
    LOCK_TIMEOUT,
    /** A kcl no longer covers a key: the same transaction can commit at the key's new place. */
    MOVED,
    /** Ownership changed under the prepare; the same transaction can be prepared again. */
    TOPOLOGY_CHANGED,
    /** A shard has no owner in this partition. */
    SHARD_UNAVAILABLE,
    /** The transaction has run for longer than snapshots are kept. */
    TOO_OLD,
    /** An owner's disk has no room for what is put. */
    DISK_FULL,
    /** An owner's disk has not taken for long what it was told. */
    DISK_SLOW
  }
}
