package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.transaction.Session;
import io.canopygrid.typed.TypedFeed;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The feeds of a handle that are open. Thread-safe. */
final class Feeds implements TypedFeed.Host {
  private final Engine engine;
  private final Session session;
  private final Runnable checkOpen;
  private final Set<TypedFeed<?, ?>> open = ConcurrentHashMap.newKeySet();

  /**
   * No feeds yet.
   *
   * @param checkOpen throws where the handle is closed
   */
  Feeds(Engine engine, Session session, Runnable checkOpen) {
    this.engine = engine;
    this.session = session;
    this.checkOpen = checkOpen;
  }

  /** Opens one, as {@link io.canopygrid.Canopy#changes}. */
  <K, V> ChangeFeed<K, V> open(EntryCodec<K, V> entries, OpenIndex index, FeedOptions<K> options) {
    EngineFeed feed = engine.changes(index, start(entries, options, session.token()));
    TypedFeed<K, V> opened = new TypedFeed<>(entries, feed, engine.pace(), this);
    open.add(opened);
    return opened;
  }

  @Override
  public void checkOpen() {
    checkOpen.run();
  }

  @Override
  public void saw(CausalToken token) {
    session.saw(token);
  }

  @Override
  public void closed(TypedFeed<?, ?> feed) {
    open.remove(feed);
  }

  /** Closes all. */
  void close() {
    open.forEach(TypedFeed::close);
  }

  /**
   * The beginning of a feed.
   *
   * @param seen what the handle has seen, in its grid
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} for a position elsewhere, {@link
   *     ErrorCode#INVALID_ARGUMENT} for a snapshot's name that is none
   */
  private static <K> FeedStart start(
      EntryCodec<K, ?> entries, FeedOptions<K> options, CausalToken seen) {
    return FeedStart.of(
        entries.encodeRange(options.range()),
        entries.index(),
        options.position().orElse(null),
        seen.grid().orElse(null),
        SnapshotNames.checkedState(options.snapshot()));
  }
}
