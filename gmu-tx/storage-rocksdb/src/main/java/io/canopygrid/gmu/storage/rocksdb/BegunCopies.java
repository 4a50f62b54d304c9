package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.BitSet;
import java.util.Collection;

/** The shards of which a copy has begun: nothing of others may be written. Confined to a thread. */
final class BegunCopies {
  private final BitSet begun = new BitSet();

  BegunCopies(Collection<Integer> begun) {
    begun.forEach(this.begun::set);
  }

  /**
   * Follows a change.
   *
   * @throws io.canopygrid.gmu.InvariantViolation it is of a copy that has not begun
   */
  void follow(StorageChange change) {
    if (change instanceof StorageChange.PutVersion put) {
      check(put.shard());
    } else if (change instanceof StorageChange.PutLog put) {
      check(put.shard());
    } else if (change instanceof StorageChange.DropVersion drop) {
      check(drop.shard());
    } else if (change instanceof StorageChange.DropLog drop) {
      check(drop.shard());
    } else if (change instanceof StorageChange.PutRecord put) {
      check(put.rec().shard());
    } else if (change instanceof StorageChange.DropRecord drop) {
      check(drop.shard());
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      check(complete.shard());
    } else if (change instanceof StorageChange.ResumeCopy resume) {
      check(resume.shard());
    } else if (change instanceof StorageChange.PutWatermark put) {
      check(put.shard());
    } else if (change instanceof StorageChange.BeginCopy begin) {
      begun.set(begin.shard());
    } else if (change instanceof StorageChange.EndCopy end) {
      begun.clear(end.shard());
    }
  }

  private void check(int shard) {
    Invariant.holds(begun.get(shard), "a change of a copy that has not begun, of %s", shard);
  }
}
