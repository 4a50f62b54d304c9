package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.engine.StorageEngine;

/** Keeps the data of nodes in RocksDB. */
public final class RocksStorageEngine implements StorageEngine {
  /** For {@link java.util.ServiceLoader}. */
  public RocksStorageEngine() {}

  @Override
  public String name() {
    return "RocksDB";
  }

  @Override
  public Storage open(DataDirectory directory) {
    return StorageOpening.open(directory, EngineLimits.DEFAULT);
  }

  @Override
  public DiskReport verify(DataDirectory directory) {
    return DiskVerification.of(directory);
  }
}
