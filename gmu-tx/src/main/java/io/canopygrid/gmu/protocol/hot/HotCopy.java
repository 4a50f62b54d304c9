package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.gmu.store.VersionChain;

/**
 * One key's versions at a keeper.
 *
 * @param tally the reads that it has answered
 */
record HotCopy(VersionChain chain, Tally tally) {
  /**
   * A number of reads, counted by any thread without care for the others': a count that gets lost
   * now and then changes nothing, and a counter that is exact would cost as much as the read.
   */
  static final class Tally {
    private int reads;

    void add() {
      reads++;
    }

    boolean isUsed() {
      return reads > 0;
    }

    /** The number since it was taken last. */
    int take() {
      int taken = reads;
      reads = 0;
      return taken;
    }
  }
}
