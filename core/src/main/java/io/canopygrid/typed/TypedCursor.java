package io.canopygrid.typed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.ResumeToken;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.EntryCodec;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A cursor over one view. The scan begins with the first question for an entry. */
final class TypedCursor<K, V> implements Cursor<K, V> {
  private final OpenTransaction transaction;
  private final EntryCodec<K, V> entries;
  private final EngineView engine;
  private final KeyRange range;
  private boolean reverse;
  private long remaining;
  private @Nullable EngineScan scan;

  /** The scan stands on an entry that has not been handed out. */
  private boolean ready;

  /** The key handed out last. */
  private byte @Nullable [] last;

  private boolean closed;

  TypedCursor(
      OpenTransaction transaction,
      EntryCodec<K, V> entries,
      EngineView engine,
      KeyRange range,
      boolean reverse,
      long limit) {
    this.transaction = transaction;
    this.entries = entries;
    this.engine = engine;
    this.range = range;
    this.reverse = reverse;
    this.remaining = limit;
  }

  @Override
  public Cursor<K, V> reverse() {
    checkNotBegun("reverse");
    reverse = !reverse;
    return this;
  }

  @Override
  public Cursor<K, V> limit(long entries) {
    checkNotBegun("limit");
    if (entries < 0) {
      throw invalid("limit must be >= 0: limit=" + entries);
    }
    remaining = entries;
    return this;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    checkUsable();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return isReady();
      }

      @Override
      public Map.Entry<K, V> next() {
        return handOut();
      }
    };
  }

  private boolean isReady() {
    checkUsable();
    if (!ready) {
      if (scan == null) {
        scan = engine.scan(range, reverse, remaining);
      }
      ready = scan.advance();
    }
    return ready;
  }

  private Map.Entry<K, V> handOut() {
    if (!isReady() || scan == null) {
      throw new NoSuchElementException("the cursor is at its end");
    }
    Map.Entry<K, V> entry = entries.decode(scan.key(), scan.value());
    last = scan.key();
    ready = false;
    if (remaining != ResumeToken.NO_LIMIT) {
      remaining--;
    }
    return entry;
  }

  @Override
  public ResumeToken resumeToken() {
    KeyRange rest = last == null ? range : reverse ? range.below(last) : range.above(last);
    CausalToken seen = transaction.token();
    String snapshot = transaction.engine().snapshot();
    return ResumeToken.of(entries.index(), rest, reverse, remaining, seen, snapshot);
  }

  @Override
  public void close() {
    closed = true;
    if (scan != null && transaction.isOpen()) {
      scan.close();
    }
    scan = null;
    ready = false;
  }

  private void checkUsable() {
    transaction.checkOpen();
    if (closed) {
      throw invalid("the cursor is closed");
    }
  }

  private void checkNotBegun(String what) {
    checkUsable();
    if (scan != null) {
      throw invalid(what + " was called after the first entry");
    }
  }

  private CanopyException invalid(String detail) {
    return new CanopyException(
        ErrorCode.INVALID_ARGUMENT, detail, CommitState.NOT_COMMITTED, transaction.id(), null);
  }
}
