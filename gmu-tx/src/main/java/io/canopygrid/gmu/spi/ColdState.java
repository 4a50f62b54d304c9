package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.message.Message.State;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a chunk of a shard's state has on the disk only, right before the chunk is sent.
 * Thread-safe.
 */
public interface ColdState {
  /** For nodes that have all in memory. */
  ColdState NONE =
      new ColdState() {
        @Override
        public void run(Runnable work) {
          work.run();
        }

        @Override
        public State complete(State chunk) {
          return chunk;
        }
      };

  /** Runs work that may wait for the disk, perhaps on another thread. */
  void run(Runnable work);

  /**
   * The chunk with all its values. Versions that have become garbage meanwhile are left out.
   *
   * @return null: the node has another topology by now, and the chunk is of no use
   */
  @Nullable State complete(State chunk);
}
