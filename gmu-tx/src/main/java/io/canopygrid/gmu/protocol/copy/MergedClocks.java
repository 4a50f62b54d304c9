package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.store.VersionChain;

/**
 * The clocks of the commits that were applied to a copy of a shard, or merged there: what the next
 * commit comes after (protocol.md, Prepare). Confined to the protocol lock.
 */
public final class MergedClocks {
  private final OrderedStore<VersionChain> chains;
  private VectorClock mostRecent = VectorClock.ZERO;

  /**
   * At or above the commit clock of each transaction that has read something here that it has not
   * written.
   */
  private VectorClock readers = VectorClock.ZERO;

  /**
   * Of a copy that begins.
   *
   * @param chains its versions
   */
  MergedClocks(OrderedStore<VersionChain> chains) {
    this.chains = chains;
  }

  /** The join of every commit clock applied or merged here. */
  public VectorClock mostRecent() {
    return mostRecent;
  }

  /**
   * The clock that a commit must be at or above for what it reads and writes here: those of its
   * kcls' newest headers, of the newest versions of the keys that it writes, and of those who have
   * read. A commit that writes a header changes which keys belong to its kcl, so it comes after all
   * others.
   */
  public VectorClock precedes(Footprint footprint) {
    VectorClock clock = headersOfReads(footprint);
    if (footprint.writes().isEmpty()) {
      return clock;
    }
    clock = clock.join(readers);
    CompositeKey before = null;
    for (Write write : footprint.writes()) {
      CompositeKey key = write.key();
      if (key.isHeader()) {
        return mostRecent;
      }
      if (before == null || before.kcl() != key.kcl()) {
        clock = clock.join(headerClock(key.kcl()));
      }
      clock = clock.join(newestClock(key));
      before = key;
    }
    return clock;
  }

  /**
   * The clocks of the headers of the kcls that were read. A change of the tree leaves tombstones
   * behind: for a key that was not there, the header stands for those who have removed it.
   */
  VectorClock headersOfReads(Footprint footprint) {
    VectorClock clock = VectorClock.ZERO;
    for (KeyRead read : footprint.reads()) {
      clock = clock.join(headerClock(read.key().kcl()));
    }
    for (RangeRead range : footprint.ranges()) {
      clock = clock.join(headerClock(range.kcl()));
    }
    return clock;
  }

  /** The clock of the commit that has said last which keys belong to a kcl. */
  VectorClock headerClock(long kcl) {
    return newestClock(CompositeKey.header(kcl));
  }

  /** The clock of the commit that has written a key last. */
  VectorClock newestClock(CompositeKey key) {
    VersionChain chain = chains.get(key.bytes());
    return chain == null ? VectorClock.ZERO : chain.clock();
  }

  /** Merges the clock of a commit. */
  void merge(VectorClock clock) {
    mostRecent = mostRecent.join(clock);
  }

  /** Merges that of a transaction that has read here what others may write. */
  void mergeReader(VectorClock clock) {
    readers = readers.join(clock);
  }

  /** Merges that of a transaction that may have read anything here. */
  void mergeUnknown(VectorClock clock) {
    merge(clock);
    mergeReader(clock);
  }

  /** Forgets all. */
  void clear() {
    mostRecent = VectorClock.ZERO;
    readers = VectorClock.ZERO;
  }
}
