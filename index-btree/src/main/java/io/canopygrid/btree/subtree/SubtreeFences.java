package io.canopygrid.btree.subtree;

import static io.canopygrid.btree.subtree.SubtreeHeader.CLOSING_LENGTH_AT;
import static io.canopygrid.btree.subtree.SubtreeHeader.HIGH_LENGTH_AT;
import static io.canopygrid.btree.subtree.SubtreeHeader.KEYS_AT;
import static io.canopygrid.btree.subtree.SubtreeHeader.LOW_LENGTH_AT;
import static io.canopygrid.btree.subtree.SubtreeHeader.NO_KEY;

import io.canopygrid.gmu.spi.Fences;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link SubtreeHeader} where it lies, as it is asked for each key of each prepare. A ku
 * that is no entry's is within no fence.
 */
public final class SubtreeFences implements Fences {
  @Override
  public boolean covers(byte[] header, byte[] ku) {
    return isEntry(ku) && compareToLow(header, ku) >= 0 && isBelowHigh(header, ku);
  }

  @Override
  public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
    if (!isEntry(from) || compareToLow(header, from) < 0) {
      return false;
    }
    return to == null
        ? lengthAt(header, HIGH_LENGTH_AT) == NO_KEY
        : isEntry(to) && compareToHigh(header, to) <= 0;
  }

  @Override
  public boolean accepts(byte[] header, byte[] ku) {
    return covers(header, ku) && compareToClosing(header, ku) < 0;
  }

  @Override
  public byte @Nullable [] end(byte[] header) {
    int length = lengthAt(header, HIGH_LENGTH_AT);
    if (length == NO_KEY) {
      return null;
    }
    byte[] ku = new byte[1 + length];
    ku[0] = EntryKeys.ENTRY;
    System.arraycopy(header, KEYS_AT + lengthAt(header, LOW_LENGTH_AT), ku, 1, length);
    return ku;
  }

  @Override
  public boolean needsHeader(long kcl) {
    return SubtreeHeader.isSubtree(kcl);
  }

  private static boolean isEntry(byte[] ku) {
    return ku.length > 0 && ku[0] == EntryKeys.ENTRY;
  }

  private static int compareToLow(byte[] header, byte[] ku) {
    return compare(ku, header, KEYS_AT, lengthAt(header, LOW_LENGTH_AT));
  }

  private static boolean isBelowHigh(byte[] header, byte[] ku) {
    return compareToHigh(header, ku) < 0;
  }

  /** Below 0 where there is no high. */
  private static int compareToHigh(byte[] header, byte[] ku) {
    int length = lengthAt(header, HIGH_LENGTH_AT);
    return length == NO_KEY
        ? -1
        : compare(ku, header, KEYS_AT + lengthAt(header, LOW_LENGTH_AT), length);
  }

  /** Below 0 where nothing is closing. */
  private static int compareToClosing(byte[] header, byte[] ku) {
    int length = lengthAt(header, CLOSING_LENGTH_AT);
    if (length == NO_KEY) {
      return -1;
    }
    int high = lengthAt(header, HIGH_LENGTH_AT);
    int at = KEYS_AT + lengthAt(header, LOW_LENGTH_AT) + (high == NO_KEY ? 0 : high);
    return compare(ku, header, at, length);
  }

  private static int compare(byte[] ku, byte[] header, int at, int length) {
    return Arrays.compareUnsigned(ku, 1, ku.length, header, at, at + length);
  }

  private static int lengthAt(byte[] header, int at) {
    return ((header[at] & 0xFF) << 8) | (header[at + 1] & 0xFF);
  }
}
