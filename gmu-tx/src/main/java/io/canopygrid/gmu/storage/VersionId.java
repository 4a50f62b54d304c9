package io.canopygrid.gmu.storage;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;

/** One version of a key in a shard's copy, as {@link StorageChange.PutVersion} has put it. */
public record VersionId(int shard, CompositeKey key, long sequenceNumber, TxId tid) {}
