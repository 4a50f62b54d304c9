package io.canopygrid.btree.ledger;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.wire.CommitId;
import java.nio.ByteBuffer;

/** The keys of records: 16 bytes of the client, eight of the time, eight of the number. */
record CommitKeys(ShardMap shards) {
  private static final int KEY_BYTES = 4 * Long.BYTES;
  private static final int MILLIS_AT = 2 * Long.BYTES;

  /**
   * The key of the record of a name.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where there is no such shard
   */
  CompositeKey of(CommitId name) {
    if (name.shard() < 0 || name.shard() >= shards.shards()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a commit's shard must be from 0 to " + (shards.shards() - 1) + ": " + name.shard());
    }
    byte[] bytes =
        ByteBuffer.allocate(KEY_BYTES)
            .putLong(name.client().getMostSignificantBits())
            .putLong(name.client().getLeastSignificantBits())
            .putLong(name.millis())
            .putLong(name.number())
            .array();
    return CommitRecords.key(shards, name.shard(), bytes);
  }

  /** When the name of a record was made, of the ku of its key. */
  static long millisOf(byte[] ku) {
    return ByteBuffer.wrap(EntryKeys.userKey(ku)).getLong(MILLIS_AT);
  }
}
