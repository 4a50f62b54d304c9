package io.canopygrid.gmu;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A key of the grid, {@code {kcl, ku}}: the co-location id says where the entry lives, ku is unique
 * within it and ordered as unsigned bytes. Stored as the eight bytes of kcl, most significant
 * first, and the bytes of ku, so that the order of the bytes is the order of {@code (kcl, ku)}.
 *
 * <p>The entry with an empty ku is the <em>header</em> of its kcl: it says which ku the kcl covers
 * ({@link io.canopygrid.gmu.spi.Fences}), and every access to a ku is checked against it. A kcl
 * without a header covers everything.
 */
public final class CompositeKey implements Comparable<CompositeKey> {
  /** The number of bytes that the kcl takes in front of ku. */
  public static final int KCL_BYTES = Long.BYTES;

  private static final VarHandle KCL =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int hash;

  private CompositeKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  public static CompositeKey of(long kcl, byte[] ku) {
    byte[] bytes = new byte[KCL_BYTES + ku.length];
    KCL.set(bytes, 0, kcl);
    System.arraycopy(ku, 0, bytes, KCL_BYTES, ku.length);
    return new CompositeKey(bytes);
  }

  /** The key of a kcl's header. */
  public static CompositeKey header(long kcl) {
    return of(kcl, new byte[0]);
  }

  /** The key with these bytes, which become its own: at least eight. */
  public static CompositeKey ofBytes(byte[] bytes) {
    if (bytes.length < KCL_BYTES) {
      throw new IllegalArgumentException("a key has at least 8 bytes: length=" + bytes.length);
    }
    return new CompositeKey(bytes);
  }

  public long kcl() {
    return (long) KCL.get(bytes, 0);
  }

  /** A copy of ku. */
  public byte[] ku() {
    return Arrays.copyOfRange(bytes, KCL_BYTES, bytes.length);
  }

  public boolean isHeader() {
    return bytes.length == KCL_BYTES;
  }

  /** Whether it is of an entry of users: no header, and nothing that the layers above note. */
  public boolean isOfEntry() {
    return !isHeader() && ShardMap.isOfEntries(kcl());
  }

  /** The key's own bytes, kcl first: not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(CompositeKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CompositeKey k && hash == k.hash && Arrays.equals(bytes, k.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return kcl() + "/" + HexFormat.of().formatHex(bytes, KCL_BYTES, bytes.length);
  }
}
