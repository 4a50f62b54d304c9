package io.canopygrid.server.endpoint.http;

import io.canopygrid.engine.FeedCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of changes, which comes when there is one, or the time is over. Transactions that are read
 * together stay together, since no position is between them.
 */
final class ChangePage implements ApiResponse.Turns {
  /** A page ends where its keys and values have so many bytes. */
  private static final int PAGE_BYTES_MAX = 1 << 22;

  private final JsonFeed feed;
  private final int limit;
  private final long deadlineNanos;

  /**
   * A page of a feed, which becomes its own.
   *
   * @param limit it ends with so many transactions
   * @param wait for how long it waits for the first one
   */
  ChangePage(JsonFeed feed, int limit, Duration wait) {
    this.feed = feed;
    this.limit = limit;
    this.deadlineNanos = feed.nanoTime() + wait.toNanos();
  }

  @Override
  public @Nullable ApiResponse next() {
    List<Map<String, Object>> transactions = new ArrayList<>();
    long bytes = 0;
    while (transactions.size() < limit && bytes < PAGE_BYTES_MAX) {
      List<FeedCommit> commits = feed.poll();
      if (commits.isEmpty()) {
        break;
      }
      for (FeedCommit commit : commits) {
        bytes += JsonFeed.bytes(commit);
        transactions.add(feed.fields(commit));
      }
    }
    if (transactions.isEmpty() && deadlineNanos - feed.nanoTime() > 0) {
      return null;
    }
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("transactions", transactions);
    page.put("position", feed.position());
    return ApiResponse.of(200, page);
  }

  @Override
  public long pauseMillis() {
    return feed.pauseMillis();
  }

  @Override
  public void close() {
    feed.close();
  }
}
