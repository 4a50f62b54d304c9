package io.canopygrid.server.endpoint.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Carries out the requests about change feeds. Thread-safe; may block. */
@SuppressWarnings("FutureReturnValueIgnored") // the task goes on until this is closed
public final class FeedRequests implements AutoCloseable {
  /** The most feeds that a server keeps. */
  public static final int FEEDS_MAX = 1_000;

  private static final long HELD_BYTES_MAX = 1L << 26;
  private static final long LOOK_SECONDS = 5;

  private final ServedNode node;
  private final BooleanSupplier draining;
  private final KeptFeeds feeds =
      new KeptFeeds(FEEDS_MAX, new StagedBytes(HELD_BYTES_MAX), System::nanoTime);
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("canopy-kept-feeds", true));

  /**
   * The requests' service of one node, with no feed yet.
   *
   * @param draining whether the server stops, and no feed is opened
   */
  public FeedRequests(ServedNode node, BooleanSupplier draining) {
    this.node = node;
    this.draining = draining;
    timer.scheduleWithFixedDelay(feeds::closeUnused, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** The number of open feeds. */
  public int open() {
    return feeds.size();
  }

  /**
   * The next changes.
   *
   * @param user the client's; empty: it need not say
   * @throws CanopyException if the request is wrong, forbidden or fails
   */
  public Reply answer(Request.ReadChanges request, Access access, String user) {
    IndexRef index = node.indexOfUser(request.index());
    access.check(Right.READ, index.name());
    CausalToken after = after(request.after());
    FeedOwner owner = new FeedOwner(user, index.number(), request.range());
    boolean reads = after != null && request.bytesMax() > 0;
    KeptFeed kept = reads ? feeds.find(request.feed(), owner) : null;
    Reply found = kept == null || after == null ? null : read(kept, after, request);
    if (found != null) {
      return found;
    }
    if (draining.getAsBoolean()) {
      throw new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop");
    }
    FeedStart start = new FeedStart(request.range(), 0, after, request.snapshot());
    KeptFeed opened = feeds.open(owner, () -> node.changes(index, start));
    if (kept != null) {
      feeds.close(kept); // after the other one keeps the versions
    }
    return reads && after != null ? first(opened, after, request) : opened.opened();
  }

  private Reply first(KeptFeed opened, CausalToken after, Request.ReadChanges request) {
    Reply told;
    try {
      told = read(opened, after, request);
    } catch (RuntimeException | Error e) {
      feeds.close(opened); // the client does not hear of it
      throw e;
    }
    if (told == null) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "the feed is not where it was opened");
    }
    return told;
  }

  private static @Nullable Reply read(
      KeptFeed feed, CausalToken after, Request.ReadChanges request) {
    int bytes = Math.min(request.bytesMax(), WireLimits.PAGE_BYTES_MAX);
    return feed.answer(after.clock(), request.parts(), bytes, System.nanoTime());
  }

  /** The position that a client names, in this grid. */
  private @Nullable CausalToken after(Request.@Nullable Told told) {
    if (told == null) {
      return null;
    }
    CausalToken token = CausalToken.of(told.grid(), told.clock());
    token.checkOf(node.grid().id());
    return token;
  }

  /** Frees a feed, if it is the user's. */
  public void close(Request.CloseFeed request, String user) {
    feeds.close(request.feed(), user);
  }

  /** Closes all feeds. */
  @Override
  public void close() {
    timer.shutdownNow();
    feeds.close();
  }
}
