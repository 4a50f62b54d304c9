package io.canopygrid.server.endpoint.http;

import io.canopygrid.FeedPosition;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.Pace;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The feed of one request, for a user who may read its index each time that it is asked. Used by
 * one thread at a time.
 */
final class JsonFeed implements AutoCloseable {
  /** The pauses between two questions without an answer grow from the first to the second one. */
  private static final long PAUSE_MIN_MILLIS = 5;

  private static final long PAUSE_MAX_MILLIS = 200;

  private final EngineFeed feed;
  private final UserIndex index;
  private final Access access;
  private final Pace pace;
  private long pauseMillis = PAUSE_MIN_MILLIS;

  /** A feed of an engine, which becomes its own. */
  JsonFeed(EngineFeed feed, UserIndex index, Access access, Pace pace) {
    this.feed = feed;
    this.index = index;
    this.access = access;
    this.pace = pace;
  }

  /** The next transactions; empty: none is known yet. */
  List<FeedCommit> poll() {
    access.check(Right.READ, index.ref().name());
    List<FeedCommit> commits = feed.poll();
    pauseMillis =
        commits.isEmpty() ? Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS) : PAUSE_MIN_MILLIS;
    return commits;
  }

  /** The pause before the next question. */
  long pauseMillis() {
    return pauseMillis;
  }

  /** The time, from some origin. */
  long nanoTime() {
    return pace.nanoTime();
  }

  /** The position after all that was polled. */
  String position() {
    return FeedPosition.of(index.ref().name(), feed.index(), feed.position()).toString();
  }

  /** A transaction as JSON has it; a value that is not there is null, which no value is. */
  Map<String, Object> fields(FeedCommit commit) {
    List<Map<String, @Nullable Object>> changes = new ArrayList<>();
    for (FeedCommit.Changed changed : commit.changes()) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("key", index.keys().decode(changed.key()));
      fields.put("before", value(changed.before()));
      fields.put("after", value(changed.after()));
      changes.add(fields);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("changes", changes);
    return fields;
  }

  private @Nullable Object value(byte @Nullable [] bytes) {
    return bytes == null ? null : index.values().decode(bytes);
  }

  /** The bytes of a transaction's keys and values. */
  static long bytes(FeedCommit commit) {
    long bytes = 0;
    for (FeedCommit.Changed changed : commit.changes()) {
      bytes += changed.key().length + length(changed.before()) + length(changed.after());
    }
    return bytes;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  @Override
  public void close() {
    feed.close();
  }
}
