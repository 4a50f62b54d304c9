package io.canopygrid.client.server;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.IndexOptions;
import io.canopygrid.engine.IndexCounters;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.wire.client.Reply;
import java.util.concurrent.atomic.AtomicBoolean;

/** An index as a server described it, and the routes to its keys. Thread-safe. */
public final class RemoteIndex implements OpenIndex {
  private final Reply.IndexOpened described;
  private final IndexCounters counters = new IndexCounters();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile RouteMap routes = RouteMap.NONE;
  private volatile long learnedNanos = System.nanoTime();

  /** An index without routes. */
  public RemoteIndex(Reply.IndexOpened described) {
    this.described = described;
  }

  /** The index's number on the wire. */
  public int number() {
    return described.index();
  }

  /** The routes that are known. */
  public RouteMap routes() {
    return routes;
  }

  /** Takes an answer to a question for its routes. */
  void learn(Reply.Routes answer) {
    routes = routes.updated(answer);
    learnedNanos = System.nanoTime();
  }

  /** The time since the routes were confirmed. */
  long ageNanos() {
    return System.nanoTime() - learnedNanos;
  }

  /** Whether no other thread asks for the routes; a caller that gets true does so. */
  boolean beginRefresh() {
    return refreshing.compareAndSet(false, true);
  }

  void endRefresh() {
    refreshing.set(false);
  }

  @Override
  public String name() {
    return described.name();
  }

  @Override
  public String keyCodec() {
    return described.keyCodec();
  }

  @Override
  public String valueCodec() {
    return described.valueCodec();
  }

  @Override
  public IndexOptions options() {
    return new IndexOptions(described.subtreeEntriesMax());
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
