package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.memory.ForwardingStorage;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.util.List;

/** A storage that takes some batches and then fails for good. */
final class FailingStorage extends ForwardingStorage {
  private long left;

  FailingStorage(Storage storage, long batches) {
    super(storage);
    this.left = batches;
  }

  @Override
  public synchronized void write(List<Batch> batches) {
    left -= batches.size();
    if (left < 0) {
      throw new StorageException(Reason.FAILED, "the disk does not take it", null);
    }
    super.write(batches);
  }
}
