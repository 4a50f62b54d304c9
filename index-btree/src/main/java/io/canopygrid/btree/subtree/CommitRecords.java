package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ShardMap;

/**
 * The places of commit records: one kcl in each shard, of no index. A commit whose outcome is to be
 * asked for later writes its record in the same transaction, and validates that there was none. So
 * the first transaction that writes the record settles the outcome of that commit (decision 7).
 *
 * <p>Records are in the order of their names' ages. Where old ones were dropped, the kcl has a
 * header with the lowest name that it still covers; before there is none, and it covers all.
 */
public final class CommitRecords {
  private CommitRecords() {}

  /** Whether a kcl is that of records, in a grid of any size. */
  public static boolean isRecords(long kcl) {
    return kcl < 0 && kcl >= -ShardMap.NOTE_KCLS;
  }

  /** The kcl of the records in a shard other than TOP. */
  public static long kclIn(ShardMap shards, int shard) {
    long kcl = -1;
    while (shards.shardOf(kcl) != shard) {
      kcl--;
    }
    return kcl;
  }

  /** Where the record of a name is. */
  public static CompositeKey key(ShardMap shards, int shard, byte[] name) {
    return EntryKeys.of(kclIn(shards, shard), name);
  }
}
