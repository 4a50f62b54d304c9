package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.IndexOptions;
import io.canopygrid.engine.IndexCounters;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.wire.client.Reply;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An index with its codecs, as a server described it, and the routes to its keys. In each grid it
 * has another number: it is looked up anew, by its name, when the grid has changed. Thread-safe.
 */
public final class RemoteIndex implements OpenIndex {
  private final String name;
  private final String keyCodec;
  private final String valueCodec;
  private final CurrentGrid grid;
  private final DroppedNumbers drops;
  private final IndexCounters counters = new IndexCounters();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile Place place;

  /** The index in one grid. */
  static final class Place {
    private final GridId grid;
    private final Reply.IndexOpened described;
    private volatile RouteMap routes = RouteMap.NONE;
    private volatile long learnedNanos = System.nanoTime();

    Place(GridId grid, Reply.IndexOpened described) {
      this.grid = grid;
      this.described = described;
    }

    boolean isIn(@Nullable GridId other) {
      return grid.equals(other);
    }

    int number() {
      return described.index();
    }

    RouteMap routes() {
      return routes;
    }

    /** Takes an answer to a question for its routes. */
    void learn(Reply.Routes answer) {
      routes = routes.updated(answer);
      learnedNanos = System.nanoTime();
    }
  }

  /** An index without routes. */
  RemoteIndex(CurrentGrid grid, DroppedNumbers drops, Place place) {
    this.name = place.described.name();
    this.keyCodec = place.described.keyCodec();
    this.valueCodec = place.described.valueCodec();
    this.grid = grid;
    this.drops = drops;
    this.place = place;
  }

  /**
   * The index's number on the wire, in the grid of the caller's transaction.
   *
   * @throws CanopyException {@link ErrorCode#GRID_CHANGED} where it was looked up in another grid
   */
  public int number(@Nullable GridId in) {
    Place at = place;
    if (in != null && !at.isIn(in)) {
      grid.check(in);
      throw new CanopyException(
          ErrorCode.GRID_CHANGED, "index '" + name + "' was looked up in another grid");
    }
    return at.number();
  }

  Place place() {
    return place;
  }

  /** Takes what a look-up in a grid has found. */
  void isAt(Place next) {
    place = next;
  }

  /** The routes that are known. */
  public RouteMap routes() {
    return place.routes();
  }

  /** The time since the routes were confirmed. */
  long ageNanos() {
    return System.nanoTime() - place.learnedNanos;
  }

  /** Whether no other thread asks for the routes; a caller that gets true does so. */
  boolean beginRefresh() {
    return refreshing.compareAndSet(false, true);
  }

  void endRefresh() {
    refreshing.set(false);
  }

  @Override
  public boolean isCurrent() {
    Place at = place;
    return at.isIn(grid.known()) && !drops.contains(at.grid, at.number());
  }

  /** Whether it is the index that a look-up has found, or was it in another grid. */
  boolean isSameAs(Place found) {
    Place at = place;
    return !at.isIn(found.grid) || at.number() == found.number();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String keyCodec() {
    return keyCodec;
  }

  @Override
  public String valueCodec() {
    return valueCodec;
  }

  @Override
  public IndexOptions options() {
    return new IndexOptions(place.described.subtreeEntriesMax());
  }

  @Override
  public IndexCounters counters() {
    return counters;
  }

  @Override
  public IndexStats stats() {
    return counters.summary(0);
  }
}
