package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.nio.file.Path;

/** An engine with so little memory that tests reach its sorted files. */
final class TestEngine {
  static final int SHARDS = 8;

  private static final EngineLimits SMALL =
      new EngineLimits(8 << 20, 512 << 10, 128 << 10, 2, 64 << 20);

  private TestEngine() {}

  static RocksStorage open(Path path) {
    return open(path, SMALL);
  }

  static RocksStorage open(Path path, EngineLimits limits) {
    return open(path, limits, Durability.ASYNC);
  }

  static RocksStorage open(Path path, EngineLimits limits, Durability durability) {
    return StorageOpening.open(DataDirectory.open(path, SHARDS, durability), limits);
  }
}
