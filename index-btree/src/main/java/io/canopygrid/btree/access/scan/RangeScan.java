package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReadAnswer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A walk over a range in one direction: the snapshot's entries with the transaction's own writes
 * merged in. The marks for validation end exactly at the entry handed out last. Confined to the
 * transaction's thread.
 */
public final class RangeScan implements EngineScan {
  /**
   * Entries of the first page where the caller has not said how many are wanted; each further page
   * is four times as large.
   */
  private static final int FIRST_PAGE_ENTRIES = 32;

  private static final int PAGE_ENTRIES_MAX = 1_000;

  private final IndexFootprint source;
  private final KeyRange range;
  private final boolean reverse;
  private final PageWalk pages;
  private long remaining;
  private int pageEntries;

  /** The snapshot's entry it stands on, null where it stands on an own write or on nothing. */
  private ReadAnswer.@Nullable Entry entry;

  /** The key it stands on or passed last, null at the beginning and where the entry has it. */
  private byte @Nullable [] key;

  private byte @Nullable [] value;

  /**
   * A scan of which perhaps a part is wanted, with values.
   *
   * @param limit most entries; these are asked for at once, as far as a page and a subtree go
   */
  public RangeScan(IndexFootprint source, KeyRange range, boolean reverse, long limit) {
    this.source = source;
    this.range = range;
    this.reverse = reverse;
    this.pages = new PageWalk(source, range, reverse, true, false);
    this.remaining = range.isEmpty() ? 0 : limit;
    this.pageEntries =
        limit == Long.MAX_VALUE ? FIRST_PAGE_ENTRIES : (int) Math.min(limit, PAGE_ENTRIES_MAX);
  }

  private RangeScan(IndexFootprint source, KeyRange range) {
    this.source = source;
    this.range = range;
    this.reverse = false;
    this.pages = new PageWalk(source, range, false, false, true);
    this.remaining = range.isEmpty() ? 0 : Long.MAX_VALUE;
    this.pageEntries = PAGE_ENTRIES_MAX;
  }

  /** A scan that is walked to the end, without values. */
  public static RangeScan ofAllKeys(IndexFootprint source, KeyRange range) {
    return new RangeScan(source, range);
  }

  @Override
  public boolean advance() {
    if (remaining == 0) {
      return false;
    }
    try {
      boolean found = step();
      remaining = found ? remaining - 1 : 0;
      return found;
    } catch (TimeoutException e) {
      throw source.context().timeout(e);
    } catch (RuntimeException e) {
      throw source.failure(e);
    }
  }

  @Override
  public byte[] key() {
    return Invariant.present(position(), "it stands on an entry");
  }

  @Override
  public byte[] value() {
    return Invariant.present(value, "it stands on an entry whose value was asked for");
  }

  @Override
  public void close() {
    remaining = 0;
    pages.close();
  }

  private byte @Nullable [] position() {
    if (key == null && entry != null) {
      key = EntryKeys.userKey(entry.ku());
    }
    return key;
  }

  private boolean step() throws TimeoutException {
    while (true) {
      ReadAnswer.Entry read = pages.peek();
      Map.Entry<byte[], byte[]> own = source.writes().isEmpty() ? null : ownNext();
      if (own != null && isNext(own.getKey(), read)) {
        if (read != null && EntryKeys.compare(read.ku(), own.getKey()) == 0) {
          pages.take();
        }
        if (standOn(own)) {
          return true;
        }
      } else if (read != null) {
        pages.take();
        standOn(read);
        return true;
      } else if (pages.isLast()) {
        pages.markAll();
        return false;
      } else {
        int entries = (int) Math.min(remaining, pageEntries);
        pageEntries = Math.min(4 * pageEntries, PAGE_ENTRIES_MAX);
        pages.load(entries, (int) Math.min(remaining - entries, pageEntries));
      }
    }
  }

  private void standOn(ReadAnswer.Entry read) {
    entry = read;
    key = null;
    value = read.value();
    if (source.context().remembers()) {
      pages.markUpTo(key());
    }
  }

  /** False where the own write is a removal, which is stepped over. */
  private boolean standOn(Map.Entry<byte[], byte[]> own) {
    entry = null;
    key = own.getKey();
    value = WriteSet.valueOf(own.getValue());
    if (value == null) {
      return false;
    }
    pages.markUpTo(key);
    return true;
  }

  /** Whether an own write comes before the next entry of the snapshot, or hides it. */
  private boolean isNext(byte[] own, ReadAnswer.@Nullable Entry read) {
    if (read == null) {
      return pages.tellsOf(own);
    }
    int order = EntryKeys.compare(read.ku(), own);
    return reverse ? order <= 0 : order >= 0;
  }

  /** The next own write of the range in this direction. */
  private Map.@Nullable Entry<byte[], byte[]> ownNext() {
    byte[] at = position();
    Map.Entry<byte[], byte[]> own =
        reverse
            ? source.writes().below(at == null ? range.to() : at)
            : source.writes().from(at == null ? range.from() : at, at == null);
    if (own == null) {
      return null;
    }
    byte[] end = range.to();
    boolean inRange =
        reverse
            ? Arrays.compareUnsigned(own.getKey(), range.from()) >= 0
            : end == null || Arrays.compareUnsigned(own.getKey(), end) < 0;
    return inRange ? own : null;
  }
}
