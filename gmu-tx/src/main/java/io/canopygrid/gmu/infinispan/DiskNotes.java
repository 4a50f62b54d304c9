package io.canopygrid.gmu.infinispan;

import io.canopygrid.recovery.LostDisks;
import org.jspecify.annotations.Nullable;

/**
 * The notes of a disk, which are for people only: nothing is decided by them, and they may be lost
 * or out of date. Thread-safe.
 */
interface DiskNotes {
  /** Notes that are not kept. */
  DiskNotes NONE =
      new DiskNotes() {
        @Override
        public String members() {
          return "";
        }

        @Override
        public void keepMembers(String text) {}

        @Override
        public void waits(String why) {}

        @Override
        public void canBeTold(@Nullable LostDisks disks) {}
      };

  /** The text that was kept last; empty: there is none. */
  String members();

  /** Keeps a text on the members that the disk's node knows; may block. Not after the close. */
  void keepMembers(String text);

  /**
   * Hears, at times, for which disks the disk's node waits before it is a member; the empty text:
   * it waits no longer.
   */
  void waits(String why);

  /** Hears who answers for a round that has begun; null: it has ended. */
  void canBeTold(@Nullable LostDisks disks);
}
