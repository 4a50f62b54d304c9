package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The indexes that this handle has opened. Thread-safe. */
public final class RemoteIndexes {
  private final CurrentGrid grid;
  private final Questions questions;
  private final Routing routing;
  private final Map<Known, RemoteIndex> known = new ConcurrentHashMap<>();

  /** An index as programs know it: of one name, but with other codecs, it is another one. */
  private record Known(String name, String keyCodec, String valueCodec) {}

  RemoteIndexes(CurrentGrid grid, Questions questions, Routing routing) {
    this.grid = grid;
    this.questions = questions;
    this.routing = routing;
  }

  /** The index that a request opens: the same object each time, if it has the same codecs. */
  public RemoteIndex open(Request.OpenIndex request) {
    GridId in = grid.present().id();
    Reply.IndexOpened opened = questions.ask(in, request, Reply.IndexOpened.class);
    RemoteIndex.Place place = new RemoteIndex.Place(in, opened);
    Known key = new Known(opened.name(), opened.keyCodec(), opened.valueCodec());
    RemoteIndex index = known.computeIfAbsent(key, any -> new RemoteIndex(grid, place));
    index.isAt(place);
    Request routes = new Request.AskRoutes(place.number(), 0);
    routing.learn(place, questions.ask(in, routes, Reply.Routes.class));
    return index;
  }

  /**
   * Makes sure that an index is known in the grid of the caller's transaction. In another grid than
   * before it is looked up by its name, and must have the codecs that it was opened with.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#CODEC_MISMATCH},
   *     {@link ErrorCode#GRID_CHANGED}
   */
  public void require(RemoteIndex index, @Nullable GridId in) {
    if (in == null || index.place().isIn(in)) {
      return;
    }
    grid.check(in);
    try {
      open(new Request.OpenIndex(index.name(), index.keyCodec(), index.valueCodec(), false, 0));
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      throw new CanopyException(
          ErrorCode.UNKNOWN_INDEX,
          String.format(
              Locale.ROOT,
              "index '%s' was opened in a former grid, and is not in %s: open it anew to create it",
              index.name(),
              grid.present()),
          e);
    }
  }
}
