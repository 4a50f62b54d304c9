package io.canopygrid.engine;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.IndexOptions;

/** An index of an {@link Engine}, the same object each time it is opened. Thread-safe. */
public interface OpenIndex {
  /** The name it was created with. */
  String name();

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
