package io.canopygrid.btree.access.commit;

import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import org.jspecify.annotations.Nullable;

/**
 * A scan of which it is not known how many entries are wanted, as some of them are hidden: it asks
 * for some, and for more each time. Stands on an entry, or is at its end. Confined to the
 * transaction's thread.
 */
final class ScanInParts {
  private static final long FACTOR = 4;

  private final EngineView view;
  private final boolean isReverse;
  private KeyRange rest;
  private long part;
  private EngineScan scan;
  private long left;
  private byte @Nullable [] key;

  /** Whether the next entry is to be found: not before it is asked for. */
  private boolean isDue = true;

  /**
   * A scan that stands on the first entry of a range.
   *
   * @param first how many entries are probably wanted, at least 1
   */
  ScanInParts(EngineView view, KeyRange range, boolean isReverse, long first) {
    this.view = view;
    this.rest = range;
    this.isReverse = isReverse;
    this.part = first;
    this.left = first;
    this.scan = view.scan(range, isReverse, first);
  }

  /** The key that it stands on; null: it is at the end. */
  byte @Nullable [] key() {
    if (isDue) {
      isDue = false;
      find();
    }
    return key;
  }

  /** The value of the entry with the key. */
  byte[] value() {
    return scan.value();
  }

  /** Steps to the next entry. */
  void advance() {
    isDue = true;
  }

  private void find() {
    byte[] passed = key;
    if (left == 0 && passed != null) {
      rest =
          isReverse
              ? KeyRange.of(rest.from(), passed)
              : KeyRange.of(KeyRange.successor(passed), rest.to());
      part = part > Long.MAX_VALUE / FACTOR ? Long.MAX_VALUE : part * FACTOR;
      left = part;
      scan = view.scan(rest, isReverse, part);
    }
    key = scan.advance() ? scan.key() : null;
    left = key == null ? left : left - 1;
  }

  void close() {
    scan.close();
  }
}
