package io.canopygrid.btree.subtree;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys that a prepared transaction holds until it is decided (docs/internals/index.md,
 * Prepared transactions). No other transaction may write there. The lock stands in the header of
 * each subtree that has keys of it; it may cover more keys than the transaction has used, never
 * fewer. Immutable; the arrays are not to be changed.
 *
 * @param owner the number of the prepared transaction
 * @param writes whether the transaction writes there: then no other one may hold the keys either
 * @param from the lowest key, inclusive
 * @param to the end, exclusive; null: the end of the index
 */
public record KeyLock(long owner, boolean writes, byte[] from, byte @Nullable [] to) {
  /** Keys in locks are cut to so many bytes, which makes a lock a little wider. */
  static final int KEY_BYTES_MAX = 64;

  private static final byte WRITES = 1;
  private static final byte ENDLESS = 2;
  private static final int FIXED_BYTES = Long.BYTES + 1 + 2 * Short.BYTES;

  /** A lock as it is. */
  public KeyLock(long owner, boolean writes, byte[] from, byte @Nullable [] to) {
    this.owner = owner;
    this.writes = writes;
    this.from = from;
    this.to = to;
  }

  /** A lock of at least these keys; long ones are cut. */
  public static KeyLock of(long owner, boolean writes, byte[] from, byte @Nullable [] to) {
    byte[] low = from.length > KEY_BYTES_MAX ? Arrays.copyOf(from, KEY_BYTES_MAX) : from;
    byte[] high = to != null && to.length > KEY_BYTES_MAX ? above(to) : to;
    return new KeyLock(owner, writes, low, high);
  }

  /** A short key above all that begin as this one does; null: there is none. */
  private static byte @Nullable [] above(byte[] key) {
    for (int length = KEY_BYTES_MAX; length > 0; length--) {
      if (key[length - 1] != (byte) 0xFF) {
        byte[] next = Arrays.copyOf(key, length);
        next[length - 1]++;
        return next;
      }
    }
    return null;
  }

  /** Whether a key is in it. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /**
   * Whether it has a part of a range.
   *
   * @param end exclusive; null: there is none
   */
  public boolean overlaps(byte[] low, byte @Nullable [] end) {
    return (end == null || Arrays.compareUnsigned(from, end) < 0)
        && (to == null || Arrays.compareUnsigned(low, to) < 0);
  }

  /** Whether both cannot be held. */
  public boolean excludes(KeyLock other) {
    return owner != other.owner && (writes || other.writes) && overlaps(other.from, other.to);
  }

  /** The locks that have a part of a range. */
  static List<KeyLock> in(byte[] low, byte @Nullable [] end, Collection<KeyLock> locks) {
    return locks.isEmpty()
        ? List.of()
        : locks.stream().filter(lock -> lock.overlaps(low, end)).toList();
  }

  /** Both lists, each lock once. */
  static List<KeyLock> join(List<KeyLock> a, List<KeyLock> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    Set<KeyLock> all = new LinkedHashSet<>(a);
    all.addAll(b);
    return List.copyOf(all);
  }

  /** The number of bytes of locks in a header. */
  public static int bytes(List<KeyLock> locks) {
    int bytes = 0;
    for (KeyLock lock : locks) {
      bytes += FIXED_BYTES + lock.from.length + (lock.to == null ? 0 : lock.to.length);
    }
    return bytes;
  }

  /** Writes them one after the other. */
  public static void put(List<KeyLock> locks, ByteBuffer out) {
    for (KeyLock lock : locks) {
      byte[] end = lock.to;
      out.putLong(lock.owner);
      out.put((byte) ((lock.writes ? WRITES : 0) | (end == null ? ENDLESS : 0)));
      out.putShort((short) lock.from.length).putShort((short) (end == null ? 0 : end.length));
      out.put(lock.from);
      if (end != null) {
        out.put(end);
      }
    }
  }

  /** The locks that are left in these bytes. */
  public static List<KeyLock> read(ByteBuffer in) {
    List<KeyLock> locks = new ArrayList<>();
    while (in.hasRemaining()) {
      long owner = in.getLong();
      byte flags = in.get();
      byte[] from = new byte[in.getShort() & 0xFFFF];
      byte[] to = new byte[in.getShort() & 0xFFFF];
      in.get(from);
      in.get(to);
      locks.add(
          new KeyLock(owner, (flags & WRITES) != 0, from, (flags & ENDLESS) != 0 ? null : to));
    }
    return List.copyOf(locks);
  }

  /** Whether the locks of a header hold the user's key of an entry's ku; decodes nothing. */
  static boolean hold(byte[] header, int at, byte[] ku) {
    int next = at;
    while (next < header.length) {
      byte flags = header[next + Long.BYTES];
      int from = HeaderLayout.lengthAt(header, next + Long.BYTES + 1);
      int to = HeaderLayout.lengthAt(header, next + Long.BYTES + 1 + Short.BYTES);
      int low = next + FIXED_BYTES;
      int high = low + from;
      if (Arrays.compareUnsigned(ku, 1, ku.length, header, low, high) >= 0
          && ((flags & ENDLESS) != 0
              || Arrays.compareUnsigned(ku, 1, ku.length, header, high, high + to) < 0)) {
        return true;
      }
      next = high + to;
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyLock lock
        && owner == lock.owner
        && writes == lock.writes
        && Arrays.equals(from, lock.from)
        && Arrays.equals(to, lock.to);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(owner) + Arrays.hashCode(from)) + Arrays.hashCode(to);
  }

  /** For people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s[%s, %s) of %016x",
        writes ? "write " : "read ",
        Keys.text(from),
        to == null ? "end" : Keys.text(to),
        owner);
  }
}
