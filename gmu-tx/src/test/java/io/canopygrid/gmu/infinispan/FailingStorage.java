package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.VersionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A storage that takes some batches and then fails for good. */
final class FailingStorage implements Storage {
  private final Storage storage;
  private long left;

  FailingStorage(Storage storage, long batches) {
    this.storage = storage;
    this.left = batches;
  }

  @Override
  public Recovered recovered(long valueBytesMax) {
    return storage.recovered(valueBytesMax);
  }

  @Override
  public long readableUpTo() {
    return storage.readableUpTo();
  }

  @Override
  public void hurry() {
    storage.hurry();
  }

  @Override
  public byte @Nullable [] read(VersionId id) {
    return storage.read(id);
  }

  @Override
  public long openedAt() {
    return storage.openedAt();
  }

  @Override
  public synchronized void write(List<Batch> batches) {
    left -= batches.size();
    if (left < 0) {
      throw new StorageException(Reason.FAILED, "the disk does not take it", null);
    }
    storage.write(batches);
  }

  @Override
  public void force() {
    storage.force();
  }

  @Override
  public void close() {
    storage.close();
  }
}
