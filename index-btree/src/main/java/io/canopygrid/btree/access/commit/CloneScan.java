package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.crown.MarkedValue;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.gmu.Invariant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a clone in one direction: its own, and those of its layers that it does not hide.
 * It goes from window to window. A window ends at the last of some keys of the layers, so that the
 * clone's own entries are looked at, and validated, up to there only. Confined to the transaction's
 * thread.
 */
final class CloneScan implements EngineScan {
  private static final int FACTOR = 4;
  private static final int WINDOW_KEYS_MAX = 1_000;

  /** A window has no more keys once it has so many bytes. */
  private static final long WINDOW_BYTES_MAX = 1 << 20;

  private final PlainView entries;
  private final LayerScan layers;
  private final boolean isReverse;
  private final BooleanSupplier isFlattened;
  private final IntSupplier writes;
  private long remaining;

  /** The keys that it may still look at. */
  private long looks = Long.MAX_VALUE;

  /** Most keys of the layers in the next window. */
  private int windowKeys;

  /** The part of the range that is behind the window. */
  private KeyRange rest;

  private KeyRange window = KeyRange.EMPTY;
  private boolean isLast;

  /** The keys of the layers in the window that are left. */
  private final Deque<LayerScan.Entry> below = new ArrayDeque<>();

  /** The clone's own entries in the window. */
  private EngineScan own;

  /** The clone's next key in the window; null: there is none. */
  private byte @Nullable [] ownKey;

  /** Whether the clone's next entry is to be found: not before it is asked for. */
  private boolean isOwnDue;

  /** The writes of the transaction before the clone's next entry was found. */
  private int writesBefore;

  /** The key that it has passed last. */
  private byte @Nullable [] key;

  private byte @Nullable [] value;
  private boolean isOwn;
  private boolean isInLayers;

  /**
   * A scan.
   *
   * @param entries the clone's own
   * @param limit most entries
   * @param isFlattened whether what the layers have is to be hidden: asked at each entry that only
   *     they have
   * @param writes how often the transaction has written to the clone: such a write may be to a key
   *     that this scan has not come to
   */
  CloneScan(
      PlainView entries,
      LayerScan layers,
      KeyRange range,
      boolean isReverse,
      long limit,
      BooleanSupplier isFlattened,
      IntSupplier writes) {
    this.entries = entries;
    this.layers = layers;
    this.rest = range;
    this.isReverse = isReverse;
    this.remaining = range.isEmpty() ? 0 : limit;
    this.windowKeys = (int) Math.min(limit, WINDOW_KEYS_MAX / FACTOR);
    this.isFlattened = isFlattened;
    this.writes = writes;
    this.writesBefore = writes.getAsInt();
    this.own = entries.scan(KeyRange.EMPTY, isReverse, 0);
  }

  /** From now on it ends when it has looked at so many keys, those that are hidden included. */
  CloneScan lookingAt(long keys) {
    looks = keys;
    return this;
  }

  /** Whether it has ended because it has looked at enough keys. */
  boolean isCutShort() {
    return looks == 0;
  }

  @Override
  public boolean advance() {
    while (remaining > 0 && looks > 0) {
      findOwn();
      LayerScan.Entry next = below.peek();
      if (ownKey == null && next == null) {
        if (isLast) {
          break;
        }
        openWindow();
      } else if (pass(ownKey, next)) {
        remaining--;
        return true;
      }
    }
    remaining = 0;
    return false;
  }

  /** Goes to the nearer one of two keys; false: the clone has no entry there. */
  private boolean pass(byte @Nullable [] ownNext, LayerScan.@Nullable Entry next) {
    looks--;
    if (ownNext == null || (next != null && layers.isBefore(next.key(), ownNext))) {
      LayerScan.Entry passed = below.remove();
      key = passed.key();
      value = passed.value();
      isOwn = false;
      isInLayers = value != null;
      return isInLayers && !isFlattened.getAsBoolean();
    }
    boolean isInBoth = next != null && Arrays.equals(next.key(), ownNext);
    isInLayers = isInBoth && below.remove().value() != null;
    key = ownNext;
    value = MarkedValue.valueOf(own.value());
    isOwn = true;
    isOwnDue = true;
    return value != null;
  }

  private void openWindow() {
    byte[] end = null;
    long bytes = 0;
    while (below.size() < windowKeys && bytes < WINDOW_BYTES_MAX) {
      LayerScan.Entry entry = layers.next();
      if (entry == null) {
        isLast = true;
        break;
      }
      below.add(entry);
      end = entry.key();
      bytes += end.length + entry.size();
    }
    windowKeys = Math.min(FACTOR * windowKeys, WINDOW_KEYS_MAX);
    window = rest;
    if (!isLast && end != null) {
      byte[] behind = KeyRange.successor(end);
      window = isReverse ? KeyRange.of(end, rest.to()) : KeyRange.of(rest.from(), behind);
      rest = isReverse ? KeyRange.of(rest.from(), end) : KeyRange.of(behind, rest.to());
    }
    openOwn();
  }

  private void openOwn() {
    writesBefore = writes.getAsInt();
    own.close();
    own = entries.scan(window, isReverse, Long.MAX_VALUE);
    isOwnDue = true;
  }

  private void findOwn() {
    byte[] passed = key;
    if (writesBefore != writes.getAsInt() && passed != null) {
      writesBefore = writes.getAsInt();
      if (!isOwnDue && entries.writes().hasIn(ahead(passed, ownKey))) {
        window = ahead(passed, null);
        openOwn();
      }
    }
    if (isOwnDue) {
      ownKey = own.advance() ? own.key() : null;
      isOwnDue = false;
    }
  }

  /** The part of the window behind a key, up to another one, which is in it; null: to its end. */
  private KeyRange ahead(byte[] passed, byte @Nullable [] to) {
    if (isReverse) {
      return KeyRange.of(to == null ? window.from() : to, passed);
    }
    return KeyRange.of(
        KeyRange.successor(passed), to == null ? window.to() : KeyRange.successor(to));
  }

  /** The key of the entry; where it was cut short, the last one that it has looked at. */
  @Override
  public byte[] key() {
    return Invariant.present(key, "it has passed a key");
  }

  @Override
  public byte[] value() {
    return Invariant.present(value, "it stands on an entry");
  }

  /** Whether the entry is the clone's own. */
  boolean isOwn() {
    return isOwn;
  }

  /** Whether the layers show the key, too. */
  boolean isInLayers() {
    return isInLayers;
  }

  @Override
  public void close() {
    remaining = 0;
    layers.close();
    own.close();
  }
}
