package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the entries of a range in pages, as many as its client asks for. Confined to the tasks of
 * its transaction's queue.
 */
final class ServedCursor {
  private static final byte[] NO_VALUE = {};

  /** The part of a frame that is left for entries beside the clock. */
  private static final int PAGE_BYTES_MOST = WireLimits.FRAME_BYTES_MAX - 32_768;

  /** The bytes that the lengths of a key and its value take at most. */
  private static final int ENTRY_OVERHEAD_BYTES = 10;

  private final ClientLink client;
  private final RequestQueue queue;
  private final EndListener listener;
  private final int stream;
  private final ServedTransaction transaction;
  private final Request.Scan request;
  private final EngineScan scan;
  private final int pageBytesMax;
  private long left;
  private long credits;
  private boolean first = true;
  private boolean ended;

  /** Whether the scan stands on an entry that did not fit into the last page. */
  private boolean ready;

  /** Hears that a cursor has ended. */
  interface EndListener {
    /**
     * The cursor has come to its end, was closed, or failed.
     *
     * @param last whether the transaction ends with it
     */
    void cursorEnded(int stream, boolean last);
  }

  ServedCursor(
      ClientLink client,
      RequestQueue queue,
      EndListener listener,
      int stream,
      ServedTransaction transaction,
      IndexRef index,
      Request.Scan request) {
    this.client = client;
    this.queue = queue;
    this.listener = listener;
    this.stream = stream;
    this.transaction = transaction;
    this.request = request;
    this.scan = transaction.on(index).scan(request.range(), request.reverse(), request.limit());
    this.left = request.limit();
    this.pageBytesMax = Math.min(request.pageBytes(), WireLimits.PAGE_BYTES_MAX);
  }

  /** Allows further pages. */
  void grant(int pages) {
    boolean waits = credits == 0;
    credits += pages;
    if (waits && credits > 0) {
      queue.submit(this::sendPage);
    }
  }

  void close() {
    if (!ended) {
      ended = true;
      scan.close();
      listener.cursorEnded(stream, request.step().last());
    }
  }

  /** Ends the cursor with its transaction; pages that are due are not sent. */
  void abandon() {
    if (!ended) {
      ended = true;
      scan.close();
    }
  }

  private void sendPage() {
    if (ended) {
      return;
    }
    try {
      int before = transaction.remoteRequests();
      List<Reply.Entry> entries = new ArrayList<>();
      boolean end = fill(entries);
      boolean moved = first && transaction.remoteRequests() > before;
      first = false;
      VectorClock seen = transaction.clock();
      credits--;
      if (end) {
        close(); // so that its number is free again before the client hears of the end
      } else if (credits > 0) {
        queue.submit(this::sendPage);
      }
      client.answer(
          stream, seen, clock -> new Reply.Page(new Reply.Seen(moved, clock), end, entries));
    } catch (CanopyException e) {
      close();
      client.fail(stream, e);
    } catch (RuntimeException e) {
      close();
      client.fail(stream, ClientLink.unexpected(e, CommitState.NOT_COMMITTED));
    }
  }

  /** Fills a page; true: the range has no more entries. */
  private boolean fill(List<Reply.Entry> entries) {
    long bytes = 0;
    while (entries.size() < request.pageEntries() && bytes < pageBytesMax) {
      if (!ready && !scan.advance()) {
        return true;
      }
      byte[] value = request.keysOnly() ? NO_VALUE : scan.value();
      long length = scan.key().length + (long) value.length + ENTRY_OVERHEAD_BYTES;
      ready = bytes + length > PAGE_BYTES_MOST && !entries.isEmpty();
      if (ready) {
        return false;
      }
      entries.add(new Reply.Entry(scan.key(), value));
      bytes += length;
      left--;
    }
    return left == 0;
  }
}
