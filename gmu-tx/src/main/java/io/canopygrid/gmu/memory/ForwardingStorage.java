package io.canopygrid.gmu.memory;

import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.VersionId;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Does all that another storage does: for disks of tests that do one thing in another way. */
public abstract class ForwardingStorage implements Storage {
  private final Storage storage;

  protected ForwardingStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public Recovered recovered(IntPredicate withVersions) {
    return storage.recovered(withVersions);
  }

  @Override
  public Recovered.Copy open(int shard, long valueBytesMax) {
    return storage.open(shard, valueBytesMax);
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
  public void write(List<Batch> batches) {
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
