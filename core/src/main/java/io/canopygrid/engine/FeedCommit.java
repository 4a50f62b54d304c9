package io.canopygrid.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's changes of one index.
 *
 * @param changes in ascending order of their keys
 */
public record FeedCommit(List<Changed> changes) {
  /**
   * The change of one key.
   *
   * @param before null: there was no value
   * @param after null: there is none now
   */
  public record Changed(byte[] key, byte @Nullable [] before, byte @Nullable [] after) {}
}
