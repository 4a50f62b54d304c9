package io.canopygrid.server.endpoint.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.feed.ServedFeed;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed that the server keeps for a client, so that the versions that it has not told yet are
 * kept, too. A client whose answer was lost asks again with the former clock, and is told the same
 * transactions again. Thread-safe.
 */
final class KeptFeed {
  /** A client that asks again may meet its former question, which takes no longer than this. */
  private static final long WAIT_SECONDS_MAX = 15;

  private static final Logger LOG = LoggerFactory.getLogger(KeptFeed.class);

  private final long id;
  private final FeedOwner owner;
  private final ServedFeed feed;
  private final StagedBytes memory;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long usedNanos;

  // Guarded by the lock.
  private @Nullable FeedParts parts;
  private long heldBytes;
  private boolean closed;

  /**
   * A feed that nobody has asked yet.
   *
   * @param memory of all feeds, of which it takes what a client has not fetched yet
   */
  KeptFeed(long id, FeedOwner owner, ServedFeed feed, StagedBytes memory, long nowNanos) {
    this.id = id;
    this.owner = owner;
    this.feed = feed;
    this.memory = memory;
    this.usedNanos = nowNanos;
  }

  long id() {
    return id;
  }

  boolean isOf(FeedOwner other) {
    return owner.isSameAs(other);
  }

  boolean isOfUser(String user) {
    return owner.user().equals(user);
  }

  /** The answer to the one who has opened it: where it is, and nothing else. */
  Reply.FeedChanges opened() {
    return new Reply.FeedChanges(id, true, false, false, clock(), List.of());
  }

  private VectorClock clock() {
    return feed.position().clock();
  }

  /**
   * The next part of the changes after a clock.
   *
   * @param given the parts that the client has
   * @param bytesMax at least 1
   * @return null: the feed is elsewhere, or closed
   * @throws CanopyException {@link ErrorCode#OVERLOADED}, and as the feed
   */
  Reply.@Nullable FeedChanges answer(VectorClock after, int given, int bytesMax, long nowNanos) {
    lock();
    try {
      usedNanos = nowNanos;
      if (closed) {
        return null;
      }
      FeedParts begun = parts;
      if (begun != null && given > 0 && begun.isAwaitedBy(after, given)) {
        return part(begun, false, bytesMax);
      }
      forgetParts();
      if (!feed.goTo(after)) {
        return null;
      }
      return part(new FeedParts(after, feed.poll()), true, bytesMax);
    } finally {
      lock.unlock();
    }
  }

  private void lock() {
    try {
      if (lock.tryLock(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while it waited for a feed", e);
    }
    throw new CanopyException(
        ErrorCode.OVERLOADED,
        "another question about this feed is under way",
        CommitState.NOT_COMMITTED,
        null,
        null);
  }

  private Reply.FeedChanges part(FeedParts from, boolean first, int bytesMax) {
    FeedParts.Part part = from.next(bytesMax);
    boolean more = !from.isOver();
    hold(more ? from : null);
    VectorClock clock = more ? VectorClock.ZERO : clock();
    return new Reply.FeedChanges(id, first, more, part.continued(), clock, part.pieces());
  }

  /** Keeps what the client has still to fetch, and counts its bytes. */
  private void hold(@Nullable FeedParts rest) {
    if (rest == null) {
      forgetParts();
      return;
    }
    // A group that is too large by itself passes while there is no other one.
    long bytes = Math.min(rest.bytesLeft(), memory.max());
    if (bytes <= heldBytes) {
      memory.free(heldBytes - bytes);
    } else if (!memory.take(bytes - heldBytes)) {
      forgetParts();
      throw new CanopyException(
          ErrorCode.OVERLOADED,
          "the server keeps more changes than it may that clients have not fetched yet",
          CommitState.NOT_COMMITTED,
          null,
          null);
    }
    heldBytes = bytes;
    parts = rest;
  }

  private void forgetParts() {
    memory.free(heldBytes);
    heldBytes = 0;
    parts = null;
  }

  /**
   * Closes the feed if nobody has used it for so long and nobody does.
   *
   * @return whether it is closed now
   */
  boolean closeUnused(long nowNanos, long nanosMax) {
    if (nowNanos - usedNanos <= nanosMax || !lock.tryLock()) {
      return false;
    }
    try {
      if (nowNanos - usedNanos <= nanosMax) {
        return false;
      }
      closeLocked();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the feed, after the question that is under way. */
  void close() {
    lock.lock();
    try {
      closeLocked();
    } finally {
      lock.unlock();
    }
  }

  private void closeLocked() {
    if (!closed) {
      closed = true;
      forgetParts();
      try {
        feed.close();
      } catch (RuntimeException e) {
        LOG.debug("the node has left the feed {}", id, e);
      }
    }
  }
}
