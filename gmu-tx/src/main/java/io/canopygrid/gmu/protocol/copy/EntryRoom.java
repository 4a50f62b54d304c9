package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.gmu.store.VersionChain;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a node's entries take, more or less, against what they may take
 * (docs/internals/storage.md, Larger than memory); and which of them were used lately. Confined to
 * the protocol lock, but for {@link #touch}, {@link #bytes()} and {@link #olderVersions()}.
 */
public final class EntryRoom {
  /** Of a place in the tree, a key and its chain. */
  private static final int ENTRY_BYTES = 128;

  private static final int VERSION_BYTES = 64;

  /** A power of two. */
  private static final int MARKS = 1 << 20;

  private final long bytesMax;
  private final int coldMin;

  /** A mark for each key, which some share; any thread sets it, and it may be lost. */
  private final boolean[] used;

  private volatile long bytes;

  /** Written under the protocol lock only. */
  private volatile long olderVersions;

  /** From so many bytes on it is kept in mind which keys are used. */
  private final long marksFrom;

  /** Whether the entries take more than that; written under the protocol lock. */
  private volatile boolean filling;

  /**
   * The memory of a node.
   *
   * @param bytesMax {@link Long#MAX_VALUE}: all stays in memory
   * @param coldMin a value with fewer bytes stays
   */
  public EntryRoom(long bytesMax, int coldMin) {
    this.bytesMax = bytesMax;
    this.coldMin = coldMin;
    this.marksFrom = bytesMax - bytesMax / 4;
    this.used = new boolean[isLimited() ? MARKS : 0];
  }

  /** Whether values leave memory at all. */
  public boolean isLimited() {
    return bytesMax < Long.MAX_VALUE;
  }

  /** Whether values must leave. Any thread. */
  public boolean isOver() {
    return bytes > bytesMax;
  }

  /** Whether a value of this size stays, whatever its key is used for. */
  boolean stays(int size) {
    return size < coldMin;
  }

  /**
   * Whether a value that was read goes back into memory. One whose key was used before makes others
   * leave, as long as eviction keeps up.
   */
  boolean takesBack(byte[] key, int size) {
    boolean wasUsed = touch(key);
    long then = bytes + size;
    return then <= bytesMax || (wasUsed && then - bytesMax <= bytesMax / 8);
  }

  /** The bytes that the entries may take; {@link Long#MAX_VALUE}: as many as they need. */
  public long bytesMax() {
    return bytesMax;
  }

  /** The bytes that the entries take. Any thread. */
  public long bytes() {
    return bytes;
  }

  /** The versions beyond the newest one of each key, which snapshots may still read. Any thread. */
  public long olderVersions() {
    return olderVersions;
  }

  /** There are so many more of them; fewer where it is negative. */
  void addOlderVersions(long more) {
    if (more != 0) {
      long now = olderVersions + more;
      olderVersions = now;
    }
  }

  /** A key's chain was replaced. */
  void replaced(byte[] key, @Nullable VersionChain before, @Nullable VersionChain after) {
    if (isLimited()) {
      long now = bytes + difference(key, before, after); // written under the protocol lock only
      bytes = now;
      boolean fills = now > marksFrom;
      if (fills != filling) {
        filling = fills;
      }
    }
  }

  /**
   * A version on top of a chain is the rule, and chains of keys that are written often are long.
   */
  private static long difference(
      byte[] key, @Nullable VersionChain before, @Nullable VersionChain after) {
    return before != null && after != null && after.older() == before
        ? of(after)
        : of(key, after) - of(key, before);
  }

  private static long of(VersionChain version) {
    return VERSION_BYTES + (version.isCold() ? 0L : version.size());
  }

  private static long of(byte[] key, @Nullable VersionChain chain) {
    if (chain == null) {
      return 0;
    }
    long bytes = ENTRY_BYTES + (long) key.length;
    for (VersionChain v = chain; v != null; v = v.older()) {
      bytes += of(v);
    }
    return bytes;
  }

  /**
   * A key is used. Nobody asks for that while there is much room, and it costs a read some percent
   * of its time: it is kept in mind only from when three quarters of the room are taken.
   *
   * @return whether it was used before, since eviction has passed it; true where there is much room
   */
  public boolean touch(byte[] key) {
    if (!filling) {
      return true;
    }
    int mark = mark(key);
    boolean before = used[mark];
    if (!before) {
      used[mark] = true;
    }
    return before;
  }

  /** Eviction passes a key: whether it was used since the last time. */
  boolean takeUsed(byte[] key) {
    int mark = mark(key);
    boolean was = used[mark];
    used[mark] = false;
    return was;
  }

  private static int mark(byte[] key) {
    int hash = Arrays.hashCode(key) * 0x9E3779B9;
    return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(MARKS));
  }

  /** All copies are given up. */
  public void clear() {
    bytes = 0;
    olderVersions = 0;
    filling = false;
  }
}
