package io.canopygrid.gmu.memory;

import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.VersionId;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A storage that is the memory of its process: for tests of what writes to a storage. */
public final class InMemoryStorage implements Storage {
  private final DiskImage image;
  private final long openedAt;
  private final DiskImage opened;
  private long position;
  private long forced;
  private boolean closed;

  /** A storage with nothing in it. */
  public InMemoryStorage() {
    this(new DiskImage(), 0);
  }

  private InMemoryStorage(DiskImage image, long position) {
    this.image = image;
    this.openedAt = position;
    this.opened = image.copy();
    this.position = position;
    this.forced = position;
  }

  /** A storage with the content of this one, as a process would open it after this one's end. */
  public synchronized InMemoryStorage reopened() {
    DiskImage next = image.copy();
    next.open();
    return new InMemoryStorage(next, position);
  }

  @Override
  public synchronized Recovered recovered(IntPredicate withVersions) {
    if (position != openedAt) {
      throw new IllegalStateException("the content is not what it was when it was opened");
    }
    return opened.recovered(withVersions);
  }

  @Override
  public synchronized Recovered.Copy open(int shard, long valueBytesMax) {
    checkOpen();
    Recovered.Copy copy = image.open(shard, valueBytesMax);
    return copy == null ? Recovered.Copy.NOTHING : copy;
  }

  @Override
  public long openedAt() {
    return openedAt;
  }

  @Override
  public synchronized void write(List<Batch> batches) {
    checkOpen();
    long last = Batch.checkOrder(position, batches);
    batches.forEach(batch -> batch.changes().forEach(image::apply));
    position = last;
  }

  @Override
  public synchronized void force() {
    checkOpen();
    forced = position;
  }

  @Override
  public synchronized long readableUpTo() {
    return position;
  }

  @Override
  public void hurry() {
    // All that is written is readable.
  }

  @Override
  public synchronized byte @Nullable [] read(VersionId id) {
    checkOpen();
    return image.read(id);
  }

  /** The position up to which all was forced. */
  public synchronized long forced() {
    return forced;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the storage is closed");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
