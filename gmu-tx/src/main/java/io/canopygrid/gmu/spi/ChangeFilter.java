package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.store.VersionChain;

/** The keys whose changes somebody wants to hear of. Called on any thread. */
@FunctionalInterface
public interface ChangeFilter {
  /**
   * Whether a key's changes are wanted.
   *
   * @param chains all that its shard has, at one moment
   */
  boolean wants(CompositeKey key, OrderedView<VersionChain> chains);
}
