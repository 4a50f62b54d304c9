package io.canopygrid.engine;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.IndexOptions;

/**
 * An index of an {@link Engine}, the same object each time it is opened with its codecs.
 * Thread-safe.
 */
public interface OpenIndex {
  /** The name it was created with. */
  String name();

  /**
   * Whether it was opened in the grid that the engine is of now, and is not known to be dropped;
   * otherwise the name is opened anew.
   */
  default boolean isCurrent() {
    return true;
  }

  /** The id of the codec of its keys. */
  String keyCodec();

  /** The id of the codec of its values. */
  String valueCodec();

  /** The options the index was created with. */
  IndexOptions options();

  /** The counters of the transactions that use the index. */
  IndexCounters counters();

  /** The counts so far. */
  IndexStats stats();
}
