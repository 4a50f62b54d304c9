package io.canopygrid;

import java.util.HexFormat;
import java.util.Locale;

/**
 * A change of how an index is cut and placed, under way or ended. The array is not to be changed.
 *
 * @param kind what is done
 * @param reason why
 * @param state how it is
 * @param by the node that makes it
 * @param from the lowest key of the subtree that is changed, as bytes
 * @param target the node that its entries go to; empty: that is not known in advance
 * @param startedMillis since 1970
 * @param tookMillis how long it has taken so far
 * @param moved how many entries it has moved so far
 * @param entries how many it will move in all, about
 * @param etaMillis how long it will still take, about; 0 where it has ended or that is not known
 */
public record StructureChange(
    Kind kind,
    Reason reason,
    State state,
    String by,
    byte[] from,
    String target,
    long startedMillis,
    long tookMillis,
    long moved,
    long entries,
    long etaMillis) {
  /** The kinds of changes, in the order of the wire protocol. */
  public enum Kind {
    /** The subtree is cut in two. */
    SPLIT,
    /** All entries of the subtree go to a neighbour. */
    MERGE,
    /** The subtree goes to another shard. */
    MOVE
  }

  /** The reasons for changes, in the order of the wire protocol. */
  public enum Reason {
    /** A caller asked for it. */
    ASKED,
    /** The index has fewer subtrees than are wanted. */
    FEW,
    /** The index has more subtrees than are wanted. */
    MANY,
    /** The subtree has too much of the load. */
    HOT,
    /** The node has too much of the load. */
    SPREAD,
    /** The callers in the node's JVM use it most, with {@link Placement#NEAR}. */
    NEAR
  }

  /** The states of a change, in the order of the wire protocol. */
  public enum State {
    /** Under way. */
    RUNNING,
    /** Ended as it was meant. */
    DONE,
    /** Ended early, as something was in its way each time; what it has moved stays. */
    IN_THE_WAY,
    /** There was nothing to be done: the subtree is another one by now. */
    IMPOSSIBLE
  }

  /** For people; the key in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "StructureChange[kind=%s, reason=%s, state=%s, by=%s, from=%s, target=%s, startedMillis=%d, tookMillis=%d, moved=%d, entries=%d, etaMillis=%d]",
        kind,
        reason,
        state,
        by,
        HexFormat.of().formatHex(from),
        target,
        startedMillis,
        tookMillis,
        moved,
        entries,
        etaMillis);
  }
}
