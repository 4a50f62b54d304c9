package io.canopygrid.client.transaction;

import io.canopygrid.client.netty.Pages;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a range, page by page, under the writes that the transaction has made since each
 * page came, which the server had not seen. Confined to the transaction's thread.
 */
final class RemoteScan implements EngineScan {
  /** Bytes of keys and values that end a page. */
  private static final int PAGE_BYTES = 256 * 1024;

  /** A read-only transaction remembers nothing, so that reading ahead costs it no conflicts. */
  private static final int PAGE_ENTRIES_READ_ONLY = 500;

  private static final int CREDITS_READ_ONLY = 2;
  private static final int PAGE_ENTRIES = 64;
  private static final int CREDITS = 1;

  private final Conversation conversation;
  private final RemoteIndex index;
  private final OwnWrites own;
  private final boolean reverse;
  private final boolean ahead;

  /** The part of the range that has not been handed out yet. */
  private KeyRange rest;

  private long remaining;
  private @Nullable Pages pages;

  /** The number of entries that the open cursor may still give. */
  private long allowed;

  private List<Reply.Entry> entries = List.of();
  private int next;

  /** Whether the pages so far tell all of the range. */
  private boolean complete;

  private byte @Nullable [] key;
  private byte @Nullable [] value;

  RemoteScan(
      Conversation conversation,
      RemoteIndex index,
      OwnWrites own,
      KeyRange range,
      boolean reverse,
      long limit) {
    this.conversation = conversation;
    this.index = index;
    this.own = own;
    this.rest = range;
    this.reverse = reverse;
    this.remaining = range.isEmpty() ? 0 : limit;
    this.ahead = conversation.how().mode() == Mode.READ_ONLY;
  }

  @Override
  public boolean advance() {
    while (remaining > 0) {
      Reply.Entry read = next < entries.size() ? entries.get(next) : null;
      Map.Entry<byte[], byte[]> mine = read != null || complete ? own.next(rest, reverse) : null;
      if (mine != null && (read == null || order(mine.getKey(), read.key()) <= 0)) {
        if (read != null && order(mine.getKey(), read.key()) == 0) {
          next++;
        }
        if (standOn(mine.getKey(), OwnWrites.valueOf(mine.getValue()))) {
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

  /** Steps to a key; false where it was removed, and so has no value. */
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
    Pages open = pages;
    Reply.Page page = open == null ? first() : conversation.nextPage(index, open);
    entries = page.entries();
    next = 0;
    if (allowed != Long.MAX_VALUE) {
      allowed -= entries.size();
    }
    if (page.end()) {
      forget();
      // The server has stopped at the limit; removals since then may leave room for more.
      complete = allowed > 0;
    }
  }

  /** Opens the cursor at the server. */
  private Reply.Page first() {
    KeyRange range = rest;
    long limit = remaining;
    allowed = limit;
    int pageEntries = (int) Math.min(limit, ahead ? PAGE_ENTRIES_READ_ONLY : PAGE_ENTRIES);
    int credits = ahead ? CREDITS_READ_ONLY : CREDITS;
    byte[] to = range.to();
    byte[] near = reverse && to != null ? to : range.from();
    Pages[] opened = new Pages[1];
    Reply.Page first =
        conversation.ask(
            index,
            near,
            Reply.Page.class,
            (connection, step) -> {
              opened[0] =
                  connection.open(say ->
                      new Request.Scan(
                          step.apply(say),
                          index.number(conversation.how().grid()),
                          range,
                          reverse,
                          false,
                          limit,
                          pageEntries,
                          PAGE_BYTES,
                          credits));
              return opened[0].take();
            });
    conversation.opened(opened[0]);
    pages = opened[0];
    return first;
  }

  private void forget() {
    if (pages != null) {
      conversation.forget(pages);
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
      conversation.close(pages);
      pages = null;
    }
  }
}
