package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.Invariant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a subtree that is about to be moved away; no transaction writes there meanwhile. The
 * part reaches to one end of the subtree, and may be all of it. Immutable; the array is not to be
 * changed.
 *
 * @param to where it goes
 * @param at where the part begins, inclusive; where a part ends that goes to the left, exclusive,
 *     null: with the index
 * @param shard for a new subtree where that is to be, {@link #ANY_SHARD}: where there is room
 */
public record Closing(To to, byte @Nullable [] at, int shard) {
  /** No shard is asked for. */
  public static final int ANY_SHARD = -1;

  /** Where a part goes. */
  public enum To {
    /** To a new subtree, from the upper end. */
    NEW(1),
    /** To the right neighbour, from the upper end. */
    RIGHT(2),
    /** To the left neighbour, from the lower end. */
    LEFT(3);

    private final byte code;

    To(int code) {
      this.code = (byte) code;
    }

    /** The code of the direction in a header. */
    byte code() {
      return code;
    }

    static To of(byte code) {
      for (To to : values()) {
        if (to.code == code) {
          return to;
        }
      }
      throw Invariant.violation("no part goes to %s", code);
    }
  }

  /** A part, and the shard that is asked for. */
  public Closing(To to, byte @Nullable [] at, int shard) {
    this.to = to;
    this.at = at;
    this.shard = shard;
  }

  /** A part that goes to a neighbour, or wherever there is room. */
  public Closing(To to, byte @Nullable [] at) {
    this(to, at, ANY_SHARD);
  }

  /** Whether it is the lower end that goes. */
  public boolean isLower() {
    return to == To.LEFT;
  }
}
