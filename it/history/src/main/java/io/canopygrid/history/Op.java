package io.canopygrid.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a transaction, as invoked or as it came back.
 *
 * @param kind what it does
 * @param key of the list or register, or the name of the range
 * @param values for a write, its one element; for a compare-and-set the new and the old one; for a
 *     delete none. For a read or scan what was observed: the list's elements, the register's value
 *     (nothing if absent), the range's rows; null if it was not executed. Not copied
 */
public record Op(Kind kind, String key, long @Nullable [] values) {
  private static final long[] NONE = {};
  private static final int TEXT_ELEMENTS_MAX = 12;

  /** The operations of all workloads. */
  public enum Kind {
    /** Reads a list or register. */
    READ("r", false),
    /** Appends to a list. */
    APPEND("append", true),
    /** Overwrites a register. */
    WRITE("w", true),
    /** Adds a row to a range. */
    ADD("add", true),
    /** Reads the rows of a range. */
    SCAN("scan", false),
    /** Overwrites a key that holds a certain value; a single-key operation. */
    CAS("cas", true),
    /** Takes a key away; a single-key operation. */
    DELETE("delete", true);

    private final String label;
    private final boolean write;

    Kind(String label, boolean write) {
      this.label = label;
      this.write = write;
    }

    String label() {
      return label;
    }

    /** Whether it changes something. */
    public boolean isWrite() {
      return write;
    }

    /** The kind of an operation within a transaction. */
    static Kind of(String label) {
      for (Kind kind : values()) {
        if (kind.label.equals(label) && kind != CAS && kind != DELETE) {
          return kind;
        }
      }
      throw new MalformedHistoryException("operation must be r, append, w, add or scan: " + label);
    }
  }

  public static Op read(String key) {
    return new Op(Kind.READ, key, null);
  }

  public static Op append(String key, long element) {
    return new Op(Kind.APPEND, key, new long[] {element});
  }

  public static Op write(String key, long value) {
    return new Op(Kind.WRITE, key, new long[] {value});
  }

  public static Op add(String range, long row) {
    return new Op(Kind.ADD, range, new long[] {row});
  }

  /** Replaces one value by another one. */
  public static Op cas(String key, long value, long old) {
    return new Op(Kind.CAS, key, new long[] {value, old});
  }

  public static Op delete(String key) {
    return new Op(Kind.DELETE, key, NONE);
  }

  public static Op scan(String range) {
    return new Op(Kind.SCAN, range, null);
  }

  /** This read or scan with what it observed. */
  public Op saw(long... observed) {
    if (kind.isWrite()) {
      throw new IllegalArgumentException("a write observes nothing: " + this);
    }
    return new Op(kind, key, observed);
  }

  /** The element that a write writes. */
  public long element() {
    return observed()[0];
  }

  boolean executed() {
    return values != null;
  }

  /** The values; none if it was not executed. */
  long[] observed() {
    return values == null ? NONE : values;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Op op
        && kind == op.kind
        && key.equals(op.key)
        && Arrays.equals(values, op.values);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + key.hashCode()) + Arrays.hashCode(values);
  }

  /** The text has the last elements only of long lists. */
  @Override
  public String toString() {
    return kind.label + " " + key + "=" + (values == null ? "?" : text(values));
  }

  private static String text(long[] values) {
    int left = values.length - TEXT_ELEMENTS_MAX;
    return left <= 0
        ? Arrays.toString(values)
        : "["
            + left
            + " more, "
            + Arrays.toString(Arrays.copyOfRange(values, left, values.length)).substring(1);
  }
}
