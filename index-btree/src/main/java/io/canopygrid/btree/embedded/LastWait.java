package io.canopygrid.btree.embedded;

import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.WaitListener;
import org.jspecify.annotations.Nullable;

/** Keeps what a waiting node has said last, and hands it on. Thread-safe. */
final class LastWait implements WaitListener {
  private final WaitListener next;
  private volatile String words = "";
  private volatile @Nullable LostDisks disks;

  LastWait(WaitListener next) {
    this.next = next;
  }

  String words() {
    return words;
  }

  @Nullable LostDisks disks() {
    return disks;
  }

  @Override
  public void waits(String why) {
    next.waits(why);
    words = why;
  }

  @Override
  public void canBeTold(@Nullable LostDisks round) {
    next.canBeTold(round);
    disks = round;
  }
}
