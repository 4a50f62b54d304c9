package io.canopygrid.btree.subtree;

import static io.canopygrid.btree.subtree.HeaderLayout.CLOSING_LENGTH_AT;
import static io.canopygrid.btree.subtree.HeaderLayout.HIGH_LENGTH_AT;
import static io.canopygrid.btree.subtree.HeaderLayout.KEYS_AT;
import static io.canopygrid.btree.subtree.HeaderLayout.LOW_LENGTH_AT;
import static io.canopygrid.btree.subtree.HeaderLayout.NO_KEY;
import static io.canopygrid.btree.subtree.HeaderLayout.lengthAt;

import io.canopygrid.gmu.spi.Fences;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link SubtreeHeader} in its bytes without decoding it, because this is done for each key
 * of each prepare. A ku of no entry is within no fence, and a retired subtree has no fences. The
 * key of a {@linkplain EntryKeys#schema schema} is covered by what the header's writers have to
 * know. A key that a prepared transaction holds is covered, and no write of it is accepted. A
 * subtree that was dropped with its index answers a scan from {@link EntryKeys#belowAll} only.
 */
public final class SubtreeFences implements Fences {
  private static final byte LEFT = HeaderLayout.state(Closing.To.LEFT);

  @Override
  public boolean covers(byte[] header, byte[] ku) {
    if (EntryKeys.isSchema(ku)) {
      return HeaderLayout.schema(header) <= EntryKeys.schemaOf(ku);
    }
    if (!isEntry(ku)) {
      return header[HeaderLayout.STATE_AT] == HeaderLayout.DROPPED && EntryKeys.isBelowAll(ku);
    }
    return !isRetired(header) && compareToLow(header, ku) >= 0 && compareToHigh(header, ku) < 0;
  }

  @Override
  public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
    return isEntry(from)
        && !isRetired(header)
        && compareToLow(header, from) >= 0
        && endsWithin(header, to);
  }

  /** An end that equals the beginning is covered too, because the range is empty. */
  @Override
  public boolean coversBelow(byte[] header, byte @Nullable [] to) {
    return !isRetired(header)
        && endsWithin(header, to)
        && (to == null || compareToLow(header, to) >= 0);
  }

  @Override
  public boolean accepts(byte[] header, byte[] ku) {
    return isEntry(ku)
        && covers(header, ku)
        && !isClosing(header, ku)
        && !KeyLock.hold(header, HeaderLayout.locksAt(header), ku);
  }

  @Override
  public byte @Nullable [] end(byte[] header) {
    int length = lengthAt(header, HIGH_LENGTH_AT);
    if (length == NO_KEY) {
      return null;
    }
    byte[] ku = new byte[1 + length];
    ku[0] = EntryKeys.ENTRY;
    System.arraycopy(header, HeaderLayout.highAt(header), ku, 1, length);
    return ku;
  }

  @Override
  public boolean needsHeader(long kcl) {
    return SubtreeHeader.isSubtree(kcl);
  }

  private static boolean isEntry(byte[] ku) {
    return ku.length > 0 && ku[0] == EntryKeys.ENTRY;
  }

  private static boolean isRetired(byte[] header) {
    return header[HeaderLayout.STATE_AT] >= HeaderLayout.RETIRED;
  }

  private static boolean endsWithin(byte[] header, byte @Nullable [] to) {
    return to == null
        ? lengthAt(header, HIGH_LENGTH_AT) == NO_KEY
        : isEntry(to) && compareToHigh(header, to) <= 0;
  }

  private static int compareToLow(byte[] header, byte[] ku) {
    return compare(ku, header, KEYS_AT, lengthAt(header, LOW_LENGTH_AT));
  }

  /** Below 0 where there is no high. */
  private static int compareToHigh(byte[] header, byte[] ku) {
    int length = lengthAt(header, HIGH_LENGTH_AT);
    return length == NO_KEY ? -1 : compare(ku, header, HeaderLayout.highAt(header), length);
  }

  /** Whether a key that is covered is about to be moved away. */
  private static boolean isClosing(byte[] header, byte[] ku) {
    byte state = header[HeaderLayout.STATE_AT];
    if (state == HeaderLayout.OPEN) {
      return false;
    }
    int length = lengthAt(header, CLOSING_LENGTH_AT);
    boolean below =
        length == NO_KEY || compare(ku, header, HeaderLayout.closingAt(header), length) < 0;
    return below == (state == LEFT);
  }

  private static int compare(byte[] ku, byte[] header, int at, int length) {
    return Arrays.compareUnsigned(ku, 1, ku.length, header, at, at + length);
  }
}
