package io.canopygrid.wire.client;

import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part that every request within a transaction has. The requests of one transaction are carried
 * out in the order in which they were sent, those of different ones in any order.
 *
 * @param transaction the client's number for it on this connection; free again after its end
 * @param begin present in the first request of a transaction, and only there
 * @param writes what the transaction has written since its last request: the server takes them in
 *     before it does anything else, so all that follows sees them
 * @param last the transaction ends with this request: only for one that is read-only. With {@link
 *     Request.Scan} it ends with the cursor
 */
public record Step(int transaction, @Nullable Begin begin, List<Write> writes, boolean last) {
  /** Copies the list. */
  public Step {
    writes = List.copyOf(writes);
  }

  /** The rights of a transaction. */
  public enum Mode {
    /** Reads one snapshot; remembers nothing and never conflicts. */
    READ_ONLY,
    /** Reads and writes. */
    UPDATE,
    /** The reads are validated also where nothing is written. */
    SERIALIZABLE
  }

  /**
   * The begin of a transaction.
   *
   * @param mode what it may do
   * @param readFrom which copies it reads
   * @param timeoutMillis how long it may take from now on; at least 1
   * @param label as in {@link io.canopygrid.TransactionOptions}
   * @param snapshot the named snapshot that it reads; empty: the present
   * @param after what it must see. The transaction also sees all that was said on this connection
   *     before, in either direction, so only what goes beyond that need be named ({@link
   *     SeenClock})
   * @param token what it must see by its caller's word, too; empty: nothing. It is named whole, as
   *     what was said before, joined to it, would hide what a power cut has taken of it. Only with
   *     {@link WireLimits#FEATURE_TOKENS}; else it is a part of {@code after}
   * @param traceParent the place in a trace to which spans of the server belong, as the header of
   *     the W3C's Trace Context; empty: none. Only with {@link WireLimits#FEATURE_TRACES}
   */
  public record Begin(
      Mode mode,
      ReadFrom readFrom,
      long timeoutMillis,
      String label,
      String snapshot,
      VectorClock after,
      VectorClock token,
      String traceParent) {
    /**
     * The begin of a transaction without a trace, whose caller has no token, or has it joined to
     * the rest.
     */
    public Begin(
        Mode mode,
        ReadFrom readFrom,
        long timeoutMillis,
        String label,
        String snapshot,
        VectorClock after) {
      this(mode, readFrom, timeoutMillis, label, snapshot, after, VectorClock.ZERO, "");
    }
  }

  /**
   * A write, in the order in which they were made.
   *
   * @param value null: the key is removed
   */
  public record Write(int index, byte[] key, byte @Nullable [] value) {}
}
