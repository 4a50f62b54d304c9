package io.canopygrid.client;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.IndexOptions;
import io.canopygrid.engine.IndexCounters;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.wire.client.Reply;
import java.util.concurrent.atomic.AtomicBoolean;

/** An index as a server described it, and where its keys are. Thread-safe. */
final class RemoteIndex implements OpenIndex {
  private final Reply.IndexOpened described;
  private final IndexCounters counters = new IndexCounters();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile RouteMap routes = RouteMap.NONE;
  private volatile long learnedNanos = System.nanoTime();

  RemoteIndex(Reply.IndexOpened described) {
    this.described = described;
  }

  /** Its number on the wire. */
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

  /** How long ago the routes were confirmed. */
  long ageNanos() {
    return System.nanoTime() - learnedNanos;
  }

  /** Whether nobody else is asking for its routes; who gets true does so. */
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
