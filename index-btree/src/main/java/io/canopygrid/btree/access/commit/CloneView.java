package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.read.CloneLookup;
import io.canopygrid.btree.access.read.CloneLookup.Masks;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.btree.crown.MarkedValue;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A clone in one transaction: its own entries above its layers. A layer at its clock never changes.
 * So only that the clone has no entry of its own is validated. Confined to the transaction's
 * thread.
 */
final class CloneView implements TransactionView {
  /** Most entries that a scan of all keys asks of a source at first. */
  private static final long FIRST_PART = 256;

  private final PlainView own;
  private final CloneLookup lookup;
  private final List<CloneLayer> layers;
  private final Function<CloneLayer, PlainView> opener;

  /** The views of the layers, opened when they are first needed. */
  private final List<PlainView> opened = new ArrayList<>();

  /** Counts the transaction's writes to it, but for those where a scan of its own stands. */
  private int writes;

  /**
   * A clone.
   *
   * @param own its own entries
   * @param layers from the highest one on
   * @param opener a layer as the transaction reads it
   */
  CloneView(
      PlainView own,
      CloneLookup lookup,
      List<CloneLayer> layers,
      Function<CloneLayer, PlainView> opener) {
    this.own = own;
    this.lookup = lookup;
    this.layers = layers;
    this.opener = opener;
  }

  @Override
  public IndexRef index() {
    return own.index();
  }

  private PlainView layer(int i) {
    while (opened.size() <= i) {
      opened.add(opener.apply(layers.get(opened.size())));
    }
    return opened.get(i);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] stored = own.get(key);
    if (stored != null) {
      return MarkedValue.valueOf(stored);
    }
    byte[] below = below(key);
    return below == null || lookup.isFlattened(index()) ? null : below;
  }

  /** The value that the layers show; null: none. */
  private byte @Nullable [] below(byte[] key) {
    for (int i = 0; i < layers.size(); i++) {
      byte[] stored = layer(i).get(key);
      if (stored != null) {
        return MarkedValue.valueOf(stored, layers.get(i).isClone());
      }
    }
    return null;
  }

  @Override
  public @Nullable AtHand getAtHand(byte[] key) {
    AtHand found = own.getAtHand(key);
    byte[] stored = found == null ? null : found.value();
    if (stored != null) {
      return new AtHand(MarkedValue.valueOf(stored));
    }
    // A layer that is not open may have to be waited for.
    return found == null || opened.size() < layers.size() || !lookup.isAtHand(index())
        ? null
        : belowAtHand(key);
  }

  private @Nullable AtHand belowAtHand(byte[] key) {
    for (int i = 0; i < layers.size(); i++) {
      AtHand found = layer(i).getAtHand(key);
      if (found == null) {
        return null;
      }
      byte[] stored = found.value();
      if (stored != null) {
        byte[] value = MarkedValue.valueOf(stored, layers.get(i).isClone());
        return new AtHand(lookup.isFlattened(index()) ? null : value);
      }
    }
    return new AtHand(null);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    own.put(key, MarkedValue.of(value));
    writes++;
  }

  @Override
  public void remove(byte[] key) {
    Masks masks = masks();
    writes++;
    remove(key, masks == Masks.ALL || (masks == Masks.OF_LAYERS && below(key) != null));
  }

  private Masks masks() {
    return lookup.masks(index(), !layers.isEmpty());
  }

  private void remove(byte[] key, boolean isMasked) {
    if (isMasked) {
      own.put(key, MarkedValue.mask());
    } else {
      own.remove(key);
    }
  }

  @Override
  public CloneScan scan(KeyRange range, boolean reverse, long limit) {
    List<LayerScan.Source> sources = new ArrayList<>();
    if (limit > 0 && !range.isEmpty()) {
      long first = Math.min(limit, FIRST_PART);
      for (int i = 0; i < layers.size(); i++) {
        ScanInParts below = new ScanInParts(layer(i), range, reverse, first);
        sources.add(new LayerScan.Source(below, layers.get(i).isClone()));
      }
    }
    LayerScan below = new LayerScan(sources, reverse);
    return new CloneScan(
        own, below, range, reverse, limit, () -> lookup.isFlattened(index()), () -> writes);
  }

  @Override
  public long count(KeyRange range) {
    EngineScan scan = scan(range, false, Long.MAX_VALUE);
    long count = 0;
    while (scan.advance()) {
      count++;
    }
    return count;
  }

  @Override
  public long removeRange(KeyRange range) {
    return removeRange(range, key -> {});
  }

  @Override
  public long removeRange(KeyRange range, Consumer<byte[]> each) {
    Masks masks = masks();
    CloneScan scan = scan(range, false, Long.MAX_VALUE);
    long removed = 0;
    try {
      while (scan.advance()) {
        each.accept(scan.key());
        remove(scan.key(), masks == Masks.ALL || (masks == Masks.OF_LAYERS && scan.isInLayers()));
        removed++;
      }
    } finally {
      writes++;
    }
    return removed;
  }

  /**
   * Puts what only the layers have into the clone, from a key on.
   *
   * @param keysMax most keys that it looks at, those that are masked included
   * @param bytesMax of the values that it puts; the last one may go above
   */
  CopiedEntries copyDown(byte[] from, int keysMax, long bytesMax) {
    if (layers.isEmpty()) {
      return CopiedEntries.NONE;
    }
    CloneScan scan = scan(KeyRange.of(from, null), false, Long.MAX_VALUE).lookingAt(keysMax);
    long copied = 0;
    long bytes = 0;
    while (bytes < bytesMax && scan.advance()) {
      if (!scan.isOwn()) {
        own.put(scan.key(), MarkedValue.of(scan.value()));
        bytes += scan.value().length;
        copied++;
      }
    }
    boolean isAll = bytes < bytesMax && !scan.isCutShort();
    scan.close();
    return new CopiedEntries(copied, isAll ? null : KeyRange.successor(scan.key()));
  }
}
