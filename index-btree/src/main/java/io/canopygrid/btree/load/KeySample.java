package io.canopygrid.btree.load;

import io.canopygrid.btree.subtree.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that were used last, one of {@value #EVERY} by chance. Any thread adds keys. If two
 * threads add at once, one sample is lost, which does no harm.
 */
final class KeySample {
  /** Of so many uses one is kept. */
  static final int EVERY = 8;

  private static final int KEPT = 64;
  private static final int ENOUGH = 16;

  /** Longer keys are cut off here: their beginning is enough for a separator. */
  private static final int KEY_BYTES_MAX = 64;

  private final byte[] @Nullable [] kept = new byte[KEPT][];
  private int next;

  /** Keeps the key that stands in some bytes from a place on. */
  void add(byte[] bytes, int from) {
    int end = Math.min(bytes.length, from + KEY_BYTES_MAX);
    byte[] key = Arrays.copyOfRange(bytes, Math.min(from, end), end);
    int at = next;
    next = at + 1 & KEPT - 1;
    kept[at & KEPT - 1] = key;
  }

  void clear() {
    Arrays.fill(kept, null);
  }

  /**
   * Keys within a range, above its lowest, that cut the sample into parts of about the same size.
   */
  List<byte[]> cuts(byte[] low, byte @Nullable [] high) {
    List<byte[]> inside = new ArrayList<>(KEPT);
    for (byte[] key : kept) {
      if (key != null
          && Arrays.compareUnsigned(key, low) >= 0
          && (high == null || Arrays.compareUnsigned(key, high) < 0)) {
        inside.add(key);
      }
    }
    if (inside.size() < ENOUGH) {
      return List.of();
    }
    inside.sort(Keys.ORDER);
    List<byte[]> cuts = new ArrayList<>();
    byte[] last = low;
    int parts = SubtreeLoad.CUTS_MAX + 1;
    for (int part = 1; part < parts; part++) {
      int at = inside.size() * part / parts;
      // The cut is in front of the key, so that a single hot key ends up in a part of its own.
      byte[] key = inside.get(at);
      byte[] before = at == 0 ? low : below(inside, at);
      if (before != null && Arrays.compareUnsigned(before, key) < 0) {
        byte[] cut = Keys.separator(before, key);
        if (Arrays.compareUnsigned(cut, last) > 0) {
          cuts.add(cut);
          last = cut;
        }
      }
    }
    return cuts;
  }

  /** The greatest key below the one at a place, null: there is none. */
  private static byte @Nullable [] below(List<byte[]> sorted, int at) {
    byte[] key = sorted.get(at);
    for (int i = at - 1; i >= 0; i--) {
      if (!Arrays.equals(sorted.get(i), key)) {
        return sorted.get(i);
      }
    }
    return null;
  }
}
