package io.canopygrid.client;

import io.canopygrid.client.netty.Pages;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.client.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a range, page by page, under the writes that the transaction has made since each
 * page came: the server has shown only those before. Confined to the transaction's thread.
 */
final class RemoteScan implements EngineScan {
  /** Bytes of keys and values that end a page. */
  static final int PAGE_BYTES = 256 * 1024;

  /** A read-only transaction remembers nothing, so that reading ahead costs it no conflicts. */
  private static final int PAGE_ENTRIES_READ_ONLY = 500;

  private static final int CREDITS_READ_ONLY = 2;
  private static final int PAGE_ENTRIES = 64;
  private static final int CREDITS = 1;

  private final RemoteView view;
  private final boolean reverse;
  private final boolean ahead;

  /** What has not been handed out yet. */
  private KeyRange rest;

  private long remaining;
  private @Nullable Pages pages;

  /** How many entries the open cursor may still give. */
  private long allowed;

  private List<Reply.Entry> entries = List.of();
  private int next;

  /** Whether the pages so far tell all of the range. */
  private boolean complete;

  private byte @Nullable [] key;
  private byte @Nullable [] value;

  RemoteScan(RemoteView view, KeyRange range, boolean reverse, long limit) {
    this.view = view;
    this.rest = range;
    this.reverse = reverse;
    this.remaining = range.isEmpty() ? 0 : limit;
    this.ahead = view.transaction().how().mode() == Mode.READ_ONLY;
  }

  @Override
  public boolean advance() {
    while (remaining > 0) {
      Reply.Entry read = next < entries.size() ? entries.get(next) : null;
      Map.Entry<byte[], byte[]> own = read != null || complete ? view.next(rest, reverse) : null;
      if (own != null && (read == null || order(own.getKey(), read.key()) <= 0)) {
        if (read != null && order(own.getKey(), read.key()) == 0) {
          next++;
        }
        if (standOn(own.getKey(), RemoteView.valueOf(own.getValue()))) {
          return true;
        }
      } else if (read != null) {
        next++;
        standOn(read.key(), read.value());
        return true;
      } else if (complete) {
        remaining = 0;
      } else {
        load();
      }
    }
    return false;
  }

  private int order(byte[] a, byte[] b) {
    return reverse ? Arrays.compareUnsigned(b, a) : Arrays.compareUnsigned(a, b);
  }

  /** False where there is no value: the key was removed, and is stepped over. */
  private boolean standOn(byte[] at, byte @Nullable [] found) {
    rest = reverse ? rest.below(at) : rest.above(at);
    key = at;
    value = found;
    if (found == null) {
      return false;
    }
    if (remaining != Long.MAX_VALUE) {
      remaining--;
    }
    return true;
  }

  private void load() {
    Reply.Page page;
    Pages open = pages;
    if (open == null) {
      allowed = remaining;
      int most = ahead ? PAGE_ENTRIES_READ_ONLY : PAGE_ENTRIES;
      RemoteView.Opened opened =
          view.open(
              rest,
              reverse,
              remaining,
              (int) Math.min(remaining, most),
              ahead ? CREDITS_READ_ONLY : CREDITS);
      pages = opened.pages();
      page = opened.first();
    } else {
      page = view.transaction().nextPage(view.index(), open);
    }
    entries = page.entries();
    next = 0;
    if (allowed != Long.MAX_VALUE) {
      allowed -= entries.size();
    }
    if (page.end()) {
      forget();
      // The server has stopped at the limit; what was removed here since may leave room for more.
      complete = allowed > 0;
    }
  }

  private void forget() {
    if (pages != null) {
      view.transaction().forget(pages);
      pages = null;
    }
  }

  @Override
  public byte[] key() {
    return present(key);
  }

  @Override
  public byte[] value() {
    return present(value);
  }

  private static byte[] present(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new IllegalStateException("it stands on no entry");
    }
    return bytes;
  }

  @Override
  public void close() {
    remaining = 0;
    if (pages != null) {
      view.transaction().close(pages);
      pages = null;
    }
  }
}
