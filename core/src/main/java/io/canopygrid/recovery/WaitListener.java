package io.canopygrid.recovery;

import org.jspecify.annotations.Nullable;

/** Hears of a node that waits for disks of others. Called on the thread that joins. */
public interface WaitListener {
  /** Hears nothing. */
  WaitListener NONE =
      new WaitListener() {
        @Override
        public void waits(String why) {}

        @Override
        public void canBeTold(@Nullable LostDisks disks) {}
      };

  /** At times: why the node waits; the empty text: it waits no longer. Must not throw. */
  void waits(String why);

  /** From now on these answer for the node's round; null: it has ended. Must not throw. */
  void canBeTold(@Nullable LostDisks disks);
}
