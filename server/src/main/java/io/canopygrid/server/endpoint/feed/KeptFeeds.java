package io.canopygrid.server.endpoint.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.feed.ServedFeed;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The feeds that a server keeps for clients, by their ids. Thread-safe. */
final class KeptFeeds implements AutoCloseable {
  /** A feed that is not used for so long is closed. */
  static final long UNUSED_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final int feedsMax;
  private final StagedBytes memory;
  private final LongSupplier nanoTime;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, KeptFeed> byId = new ConcurrentHashMap<>();

  /** The feeds that are open or being opened. */
  private final AtomicInteger size = new AtomicInteger();

  private volatile boolean closed;

  /**
   * No feeds yet.
   *
   * @param feedsMax the most feeds at once
   * @param memory of what clients have not fetched yet
   */
  KeptFeeds(int feedsMax, StagedBytes memory, LongSupplier nanoTime) {
    this.feedsMax = feedsMax;
    this.memory = memory;
    this.nanoTime = nanoTime;
  }

  /** The number of open feeds. */
  int size() {
    return size.get();
  }

  /** The feed of an id; null: there is none, or it is somebody else's, or about something else. */
  @Nullable KeptFeed find(long id, FeedOwner owner) {
    KeptFeed found = byId.get(id);
    return found != null && found.isOf(owner) ? found : null;
  }

  /**
   * Keeps a feed that is opened now.
   *
   * @throws CanopyException {@link ErrorCode#OVERLOADED}; {@link ErrorCode#NOT_CONNECTED} where the
   *     server stops; and as the opener
   */
  KeptFeed open(FeedOwner owner, Supplier<ServedFeed> opener) {
    if (size.incrementAndGet() > feedsMax) {
      size.decrementAndGet();
      throw new CanopyException(
          ErrorCode.OVERLOADED,
          "more than " + feedsMax + " change feeds are open at this server",
          CommitState.NOT_COMMITTED,
          null,
          null);
    }
    ServedFeed feed;
    try {
      feed = opener.get();
    } catch (RuntimeException | Error e) {
      size.decrementAndGet();
      throw e;
    }
    KeptFeed kept = put(owner, feed);
    if (closed) {
      close(kept);
      throw new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop");
    }
    return kept;
  }

  private KeptFeed put(FeedOwner owner, ServedFeed feed) {
    while (true) {
      long id = random.nextLong() >>> 1;
      KeptFeed kept = new KeptFeed(id, owner, feed, memory, nanoTime.getAsLong());
      if (id != 0 && byId.putIfAbsent(id, kept) == null) {
        return kept;
      }
    }
  }

  /** Closes a feed. */
  void close(KeptFeed feed) {
    if (byId.remove(feed.id(), feed)) {
      size.decrementAndGet();
      feed.close();
    }
  }

  /** Closes the feed of an id, if it is this user's. */
  void close(long id, String user) {
    KeptFeed found = byId.get(id);
    if (found != null && found.isOfUser(user)) {
      close(found);
    }
  }

  /** Closes the feeds that were not used for long. */
  void closeUnused() {
    long now = nanoTime.getAsLong();
    for (KeptFeed feed : byId.values()) {
      if (feed.closeUnused(now, UNUSED_NANOS_MAX)) {
        close(feed);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    byId.values().forEach(this::close);
  }
}
