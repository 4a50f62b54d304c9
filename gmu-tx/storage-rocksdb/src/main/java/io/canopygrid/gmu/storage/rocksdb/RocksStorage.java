package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.directory.DiskLabel;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * A storage in RocksDB. A write is one record of the engine's write-ahead log, so it is there whole
 * or not at all, and with it the position of its last batch.
 *
 * <p>The log is forced when {@link #force} is called, and whenever the engine begins another one.
 * So at most the newest log has anything that is not forced, and a power cut leaves a prefix.
 */
public final class RocksStorage implements Storage {
  private final DataDirectory directory;
  private final EngineFailures failures;
  private final RocksEngine engine;
  private final Facts opened;
  private final ChangeWriter writer;
  private final long openedAt;
  private long position;

  /** Taken for writing to close: a force does not hold up writes, and none goes on after it. */
  private final ReentrantReadWriteLock forces = new ReentrantReadWriteLock();

  private volatile @Nullable StorageException failure;
  private volatile boolean closed;

  private RocksStorage(
      DataDirectory directory,
      EngineFailures failures,
      RocksEngine engine,
      Facts opened,
      ChangeWriter writer) {
    this.directory = directory;
    this.failures = failures;
    this.engine = engine;
    this.opened = opened;
    this.writer = writer;
    this.openedAt = opened.position;
    this.position = opened.position;
  }

  /**
   * Opens the engine of a data directory, or makes it. The directory is closed with the storage,
   * and also if this fails.
   *
   * @throws StorageException it cannot be opened
   */
  public static RocksStorage open(DataDirectory directory, EngineLimits limits) {
    EngineFailures failures = new EngineFailures(directory.path());
    try {
      long log = directory.label().engineLog();
      if (log == 0) {
        directory.removeEngine();
      }
      RocksEngine engine = RocksEngine.open(directory.engine(), limits, log, failures);
      try {
        return open(directory, engine, failures);
      } catch (RocksDBException e) {
        throw closed(engine, failures.of(e));
      } catch (MalformedBytesException e) {
        throw closed(engine, malformed(failures, e));
      } catch (RuntimeException e) {
        throw closed(engine, e);
      }
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static <E extends Exception> E closed(RocksEngine engine, E failure) {
    try {
      engine.close();
    } catch (RocksDBException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private static RocksStorage open(
      DataDirectory directory, RocksEngine engine, EngineFailures failures)
      throws RocksDBException {
    ContentReader reader = new ContentReader(engine);
    Facts facts = reader.facts();
    ChangeWriter writer = new ChangeWriter(engine, facts, reader.decisionRanges());
    DiskLabel label = directory.label();
    if (!label.engineMade()) {
      begin(engine, label);
    } else if (facts.disk == 0) {
      throw failures.damaged("it has lost all that it had", null);
    } else if (facts.disk != label.disk().value()) {
      throw new StorageException(
          Reason.FOREIGN,
          String.format(
              Locale.ROOT,
              "%s is of another disk than the data directory %s that it is in: put its own back,"
                  + " or move the directory aside and start with an empty one",
              directory.engine(),
              directory.path()),
          null);
    }
    dropIncomplete(engine, writer, facts);
    directory.engineBegan(RocksEngine.newestLog(directory.engine(), failures));
    return new RocksStorage(directory, failures, engine, facts, writer);
  }

  private static void begin(RocksEngine engine, DiskLabel label) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(
          engine.family(Family.FACTS),
          FactKeys.of(FactKeys.DISK),
          FactKeys.ofLong(label.disk().value()));
      engine.write(batch);
      engine.force();
    }
  }

  private static void dropIncomplete(RocksEngine engine, ChangeWriter writer, Facts facts)
      throws RocksDBException {
    List<Integer> incomplete =
        facts.copies.entrySet().stream()
            .filter(copy -> copy.getValue() != Facts.COMPLETE)
            .map(Map.Entry::getKey)
            .toList();
    if (incomplete.isEmpty()) {
      return;
    }
    try (WriteBatch batch = new WriteBatch()) {
      for (int shard : incomplete) {
        writer.dropCopy(batch, shard);
      }
      engine.write(batch);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException something was written since, or the storage is closed
   */
  @Override
  public synchronized Recovered recovered() {
    checkOpen();
    if (position != openedAt) {
      throw new IllegalStateException("the content is not what it was when it was opened");
    }
    try {
      return new ContentReader(engine).content(opened);
    } catch (RocksDBException e) {
      throw failed(failures.of(e));
    } catch (MalformedBytesException e) {
      throw failed(malformed(failures, e));
    }
  }

  private static StorageException malformed(EngineFailures failures, MalformedBytesException e) {
    return failures.damaged(String.valueOf(e.getMessage()), e);
  }

  @Override
  public long openedAt() {
    return openedAt;
  }

  @Override
  public synchronized void write(List<Batch> batches) {
    checkOpen();
    checkWorks();
    long last = Batch.checkOrder(position, batches);
    try (WriteBatch batch = new WriteBatch()) {
      for (Batch step : batches) {
        for (StorageChange change : step.changes()) {
          writer.write(batch, change);
        }
      }
      writer.writePosition(batch, last);
      engine.write(batch);
      if (engine.switches().take()) {
        engine.force();
        directory.engineBegan(RocksEngine.newestLog(directory.engine(), failures));
      }
    } catch (RocksDBException e) {
      throw failed(failures.of(e));
    } catch (StorageException e) {
      throw failed(e);
    } catch (RuntimeException e) {
      failure =
          new StorageException(
              Reason.FAILED, "a change could not be written to " + directory.path(), e);
      throw e;
    }
    position = last;
  }

  @Override
  public void force() {
    forces.readLock().lock();
    try {
      checkOpen();
      checkWorks();
      engine.force();
      checkBackground();
    } catch (RocksDBException e) {
      throw failed(failures.of(e));
    } finally {
      forces.readLock().unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the storage is closed: " + directory.path());
    }
  }

  private void checkWorks() {
    StorageException known = failure;
    if (known != null) {
      throw new StorageException(known.reason(), String.valueOf(known.getMessage()), known);
    }
  }

  /**
   * Finds failures that let the engine go on. A failure that stops the engine is told by the next
   * write. So this, which takes the engine's lock, need not be asked at each write.
   */
  private void checkBackground() throws RocksDBException {
    if (engine.hasFailedInBackground()) {
      throw failed(failures.inBackground(null));
    }
  }

  private StorageException failed(StorageException e) {
    failure = e;
    return e;
  }

  /**
   * {@inheritDoc}
   *
   * @throws StorageException what was written last is perhaps not forced; the disk is given up
   */
  @Override
  public synchronized void close() {
    forces.writeLock().lock();
    try {
      closeOnce();
    } finally {
      forces.writeLock().unlock();
    }
  }

  private void closeOnce() {
    if (closed) {
      return;
    }
    closed = true;
    try (directory;
        engine) {
      if (failure == null) {
        engine.force();
        engine.flush();
      }
    } catch (RocksDBException e) {
      // The failure before has been told, and what follows from it says nothing new.
      if (failure == null) {
        throw failures.of(e);
      }
    }
  }
}
