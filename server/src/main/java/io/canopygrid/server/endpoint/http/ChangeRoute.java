package io.canopygrid.server.endpoint.http;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.config.Durations;
import io.canopygrid.config.WrongValueException;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an index: a page of them, or a stream. A page keeps nothing for the one after it.
 * Thread-safe.
 */
final class ChangeRoute {
  private static final String PATH = "/api/v1/indexes/{index}/changes";
  private static final List<String> ANY = List.of("after", "since", "asOf", "from", "to", "prefix");
  private static final int LIMIT_USUAL = 100;
  private static final int LIMIT_MAX = 1_000;
  private static final Durations WAITS = new Durations(Duration.ZERO, Duration.ofSeconds(30));

  private final TransactionService service;
  private final ServedNode node;

  ChangeRoute(TransactionService service) {
    this.service = service;
    this.node = service.node();
  }

  Route route() {
    return new Route("GET", PATH, this::changes);
  }

  private ApiResponse changes(Call call) {
    boolean isStream = call.request().wantsEvents();
    List<String> names = new ArrayList<>(ANY);
    if (!isStream) {
      names.addAll(List.of("limit", "wait"));
    }
    call.checkQuery(names.toArray(String[]::new));
    call.checkNoBody();
    int limit = call.number("limit", LIMIT_USUAL, 1, LIMIT_MAX);
    Duration wait = wait(call.parameter("wait"));
    UserIndex index = UserIndex.find(node, call.part("index"), Right.READ, call.access());
    FeedStart start = start(call, index);
    if (service.draining().get()) {
      throw new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop");
    }
    EngineFeed engine = node.engine().changes(index.ref(), start);
    JsonFeed feed = new JsonFeed(engine, index, call.access(), node.engine().pace());
    boolean isHead = call.request().method().equals("HEAD");
    if (!isStream) {
      return first(new ChangePage(feed, limit, isHead ? Duration.ZERO : wait));
    }
    ChangeEvents events = new ChangeEvents(feed);
    String begin = events.alive();
    if (isHead) {
      events.close();
    }
    return ApiResponse.events(begin, isHead ? null : events);
  }

  /** The page if it is there, or one that comes later. */
  private static ApiResponse first(ChangePage page) {
    boolean isLater = false;
    try {
      ApiResponse answer = page.next();
      isLater = answer == null;
      return answer == null ? ApiResponse.later(page) : answer;
    } finally {
      if (!isLater) {
        page.close();
      }
    }
  }

  private FeedStart start(Call call, UserIndex index) {
    String last = call.request().lastEvent();
    String after = last.isEmpty() ? call.parameter("after") : last;
    String since = call.parameter("since");
    String asOf = call.parameter("asOf");
    if (last.isEmpty() && Stream.of(after, since, asOf).filter(Objects::nonNull).count() > 1) {
      throw Fields.wrong("give one of 'after', 'since' and 'asOf'");
    }
    String state = "";
    if (after == null && since != null) {
      state = SnapshotNames.checked(since);
    } else if (after == null && asOf != null) {
      state = FeedOptions.<String>since(Fields.time("asOf", asOf)).snapshot();
    }
    return FeedStart.of(
        EntryRoutes.range(call, index),
        index.ref().name(),
        after == null ? null : FeedPosition.parse(after),
        node.grid().id(),
        state);
  }

  private static Duration wait(@Nullable String text) {
    try {
      return text == null ? Duration.ZERO : WAITS.parse(text);
    } catch (WrongValueException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "'wait' must be a time of " + WAITS.range(), e);
    }
  }
}
