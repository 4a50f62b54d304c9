package io.canopygrid.typed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Change;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedPosition;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.Pace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A feed of a handle: asks the engine again and again, and decodes what it tells. */
public final class TypedFeed<K, V> implements ChangeFeed<K, V> {
  /** The pauses between two questions without an answer grow from the first to the second one. */
  private static final long PAUSE_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration WAIT_MAX = Duration.ofHours(1);

  private final EntryCodec<K, V> entries;
  private final EngineFeed feed;
  private final Pace pace;
  private final Host host;

  /** The transactions that were read and not returned yet. */
  private final Deque<FeedCommit> read = new ArrayDeque<>();

  /** The position of those. */
  private CausalToken before;

  private volatile boolean closed;

  /** The handle whose feed it is. Thread-safe. */
  public interface Host {
    /** Throws where the handle is closed. */
    void checkOpen();

    /** Hears what was told, for the handle's next transactions. */
    void saw(CausalToken token);

    /** A feed is closed. */
    void closed(TypedFeed<?, ?> feed);
  }

  /** A feed of an engine, which becomes its own. */
  public TypedFeed(EntryCodec<K, V> entries, EngineFeed feed, Pace pace, Host host) {
    this.entries = entries;
    this.feed = feed;
    this.pace = pace;
    this.host = host;
    this.before = feed.position();
  }

  @Override
  public @Nullable ChangeSet<K, V> next(Duration atMost) {
    checkWait(atMost);
    long deadlineNanos = pace.nanoTime() + atMost.toNanos();
    long pauseNanos = PAUSE_MIN_NANOS;
    while (true) {
      check();
      if (read.isEmpty()) {
        poll(deadlineNanos);
      }
      FeedCommit first = read.peek();
      if (first != null) {
        ChangeSet<K, V> decoded = decoded(first);
        read.remove();
        return decoded;
      }
      long leftNanos = deadlineNanos - pace.nanoTime();
      if (leftNanos <= 0) {
        return null;
      }
      pace.sleep(Math.min(pauseNanos, leftNanos));
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX_NANOS);
    }
  }

  /** Asks the engine once; an error that passes is thrown only when the time is over. */
  private void poll(long deadlineNanos) {
    try {
      ask();
    } catch (CanopyException e) {
      if (!e.code().retryable() || deadlineNanos - pace.nanoTime() <= 0) {
        throw e;
      }
    }
  }

  /** The handle may close the feed from another thread, but not within a question. */
  private synchronized void ask() {
    check();
    before = feed.position();
    read.addAll(feed.poll());
    host.saw(feed.position());
  }

  private static void checkWait(@Nullable Duration atMost) {
    if (atMost == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the time to wait is null");
    }
    if (atMost.isNegative() || atMost.compareTo(WAIT_MAX) > 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "a feed waits from zero to an hour: atMost=" + atMost);
    }
  }

  private void check() {
    host.checkOpen();
    if (closed) {
      throw new CanopyException(ErrorCode.TRANSACTION_CLOSED, "the feed is closed");
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while it waited for changes");
    }
  }

  private ChangeSet<K, V> decoded(FeedCommit commit) {
    List<Change<K, V>> changes = new ArrayList<>();
    for (FeedCommit.Changed changed : commit.changes()) {
      changes.add(
          new Change<>(
              entries.decodeKey(changed.key()), value(changed.before()), value(changed.after())));
    }
    return new ChangeSet<>(changes);
  }

  private @Nullable V value(byte @Nullable [] bytes) {
    return bytes == null ? null : entries.decodeValue(bytes);
  }

  @Override
  public FeedPosition position() {
    return FeedPosition.of(
        entries.index(), feed.index(), read.isEmpty() ? feed.position() : before);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      feed.close();
      host.closed(this);
    }
  }
}
