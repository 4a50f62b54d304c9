package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.crown.MarkedValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries that the layers of a clone show together, in one direction: of each key that of the
 * highest layer that has the key. Keys that are masked there are told, too. Confined to the
 * transaction's thread.
 */
final class LayerScan {
  /**
   * A scan of one layer.
   *
   * @param isMarked whether its values are {@link MarkedValue}s
   */
  record Source(ScanInParts scan, boolean isMarked) {
    byte @Nullable [] value() {
      return MarkedValue.valueOf(scan.value(), isMarked);
    }
  }

  /**
   * A key that a layer has.
   *
   * @param value null: it is masked
   */
  record Entry(byte[] key, byte @Nullable [] value) {
    /** The bytes of the value. */
    int size() {
      return value == null ? 0 : value.length;
    }
  }

  private final List<Source> sources;
  private final boolean isReverse;

  /**
   * A scan.
   *
   * @param sources from the highest layer on, each of the same range and in the same direction
   */
  LayerScan(List<Source> sources, boolean isReverse) {
    this.sources = sources;
    this.isReverse = isReverse;
  }

  /** The next key; null: there is none. */
  @Nullable Entry next() {
    byte[] key = nearest();
    return key == null ? null : new Entry(key, take(key));
  }

  private byte @Nullable [] nearest() {
    byte[] nearest = null;
    for (Source source : sources) {
      byte[] at = source.scan().key();
      if (at != null && (nearest == null || isBefore(at, nearest))) {
        nearest = at;
      }
    }
    return nearest;
  }

  /** Whether a scan comes to a key before another one. */
  boolean isBefore(byte[] a, byte[] b) {
    int order = Arrays.compareUnsigned(a, b);
    return isReverse ? order > 0 : order < 0;
  }

  /** Takes a key from all layers; null: it is masked. */
  private byte @Nullable [] take(byte[] key) {
    byte[] value = null;
    boolean isFound = false;
    for (Source source : sources) {
      if (Arrays.equals(source.scan().key(), key)) {
        if (!isFound) {
          isFound = true;
          value = source.value();
        }
        source.scan().advance();
      }
    }
    return value;
  }

  void close() {
    sources.forEach(source -> source.scan().close());
  }
}
