package io.canopygrid.gmu;

import org.jspecify.annotations.Nullable;

/** A read within one kcl, run at the owner in the transaction's snapshot. */
public sealed interface ReadQuery {
  /** The kcl whose shard answers. */
  long kcl();

  /**
   * Whether a read of a key waits for transactions that asked for the same key before and want to
   * change it. It waits a bounded time for each (protocol.md, Turns).
   */
  enum Turn {
    /** Answered at once. */
    NONE,
    /** Waits, where others take turns already and it is the transaction's first read. */
    BEHIND_OTHERS,
    /** Takes a turn. */
    OWN
  }

  /** One key. */
  record Get(CompositeKey key, Turn turn) implements ReadQuery {
    /** A read of one key that is answered at once. */
    public Get(CompositeKey key) {
      this(key, Turn.NONE);
    }

    @Override
    public long kcl() {
      return key.kcl();
    }
  }

  /**
   * The entries of a kcl in a range of ku, the header left out.
   *
   * @param from first ku, inclusive; at least one byte
   * @param to end of the range, exclusive; null: to the end of the kcl
   * @param reverse from the end of the range to its beginning
   * @param limit most live entries to return, at least 1; the answer may stop earlier, see {@link
   *     ReadAnswer.Scanned#complete()}
   * @param values whether values are wanted, or keys only
   */
  record Scan(
      long kcl, byte[] from, byte @Nullable [] to, boolean reverse, int limit, boolean values)
      implements ReadQuery {}

  /**
   * The number of live entries of a kcl in a range of ku, without the header. A commit cannot
   * validate a count, so only transactions that remember nothing may ask for it.
   *
   * @param from first ku, inclusive; at least one byte
   * @param to end of the range, exclusive; null: to the end of the kcl
   */
  record Count(long kcl, byte[] from, byte @Nullable [] to) implements ReadQuery {}
}
