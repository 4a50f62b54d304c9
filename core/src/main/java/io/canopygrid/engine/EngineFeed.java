package io.canopygrid.engine;

import io.canopygrid.CausalToken;
import java.util.List;

/** The changes of an index from a position on. Confined to one thread at a time. */
public interface EngineFeed extends AutoCloseable {
  /**
   * The next transactions, in an order in which each comes after all that it depends on. Does not
   * wait for any. After an error the feed is where it was, and may be asked again.
   *
   * @return empty: none is known yet
   */
  List<FeedCommit> poll();

  /** The number of the index. */
  int index();

  /** A clock at or below which all was returned, and its grid. */
  CausalToken position();

  /** Frees what the feed keeps. */
  @Override
  void close();
}
