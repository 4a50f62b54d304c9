package io.canopygrid.btree.ledger;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.wire.CommitId;
import java.nio.ByteBuffer;

/**
 * The keys of records: eight bytes of the time, 16 of the client, eight of the number. So records
 * are in the order of their age.
 */
record CommitKeys(ShardMap shards) {
  private static final int KEY_BYTES = 4 * Long.BYTES;

  /**
   * The key of the record of a name.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where there is no such shard, or the
   *     time is before 1970
   */
  CompositeKey of(CommitId name) {
    if (name.shard() < 0 || name.shard() >= shards.shards()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a commit's shard must be from 0 to " + (shards.shards() - 1) + ": " + name.shard());
    }
    if (name.millis() < 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "a commit's time must not be negative: " + name.millis());
    }
    byte[] bytes =
        ByteBuffer.allocate(KEY_BYTES)
            .putLong(name.millis())
            .putLong(name.client().getMostSignificantBits())
            .putLong(name.client().getLeastSignificantBits())
            .putLong(name.number())
            .array();
    return CommitRecords.key(shards, name.shard(), bytes);
  }

  /** At or below the keys of all names of a time and later, and above those of earlier ones. */
  static byte[] lowestOf(long millis) {
    return ByteBuffer.allocate(Long.BYTES).putLong(Math.max(0, millis)).array();
  }
}
