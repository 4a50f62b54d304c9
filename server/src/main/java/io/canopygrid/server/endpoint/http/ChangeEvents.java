package io.canopygrid.server.endpoint.http;

import io.canopygrid.engine.FeedCommit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes as server-sent events, one for each transaction. The last event of those that were read
 * together has the position as its id. The next ones are read when a receiver has taken those.
 */
final class ChangeEvents implements ApiResponse.Turns {
  /** A part of the stream ends where the text of its events has so many characters. */
  private static final int PART_CHARS = 1 << 18;

  /** After so long without an event the receiver is told that the stream is alive. */
  private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final JsonFeed feed;
  private final Deque<FeedCommit> read = new ArrayDeque<>();
  private long toldNanos;

  /** The events of a feed, which becomes their own. */
  ChangeEvents(JsonFeed feed) {
    this.feed = feed;
  }

  /** A comment, and the position, which receivers take over without an event. */
  String alive() {
    toldNanos = feed.nanoTime();
    return ": alive\nid: " + feed.position() + "\n\n";
  }

  @Override
  public @Nullable ApiResponse next() {
    if (read.isEmpty()) {
      read.addAll(feed.poll());
    }
    if (read.isEmpty()) {
      boolean isDue = feed.nanoTime() - toldNanos >= ALIVE_NANOS;
      return isDue ? ApiResponse.events(alive(), null) : null;
    }
    StringBuilder events = new StringBuilder();
    while (!read.isEmpty() && events.length() < PART_CHARS) {
      events.append("data: ").append(Json.text(feed.fields(read.remove()))).append('\n');
      if (read.isEmpty()) {
        events.append("id: ").append(feed.position()).append('\n');
      }
      events.append('\n');
    }
    toldNanos = feed.nanoTime();
    return ApiResponse.events(events.toString(), null);
  }

  @Override
  public long pauseMillis() {
    return read.isEmpty() ? feed.pauseMillis() : 0;
  }

  @Override
  public void close() {
    feed.close();
  }
}
