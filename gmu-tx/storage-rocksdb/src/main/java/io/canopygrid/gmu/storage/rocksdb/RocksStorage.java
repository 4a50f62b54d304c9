package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.wal.LogReplay;
import io.canopygrid.gmu.storage.wal.WriteAheadLog;
import io.canopygrid.gmu.wire.StepWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A storage in a write-ahead log and RocksDB. A write is one record of the log, so it is there
 * whole or not at all, with the position of its last batch. A thread brings the segments of the log
 * that are full into the engine, which has no log of its own.
 *
 * <p>The log is forced when {@link #force} is called, and before it goes on in another segment. So
 * at most its newest segment has anything that is not forced, and a power cut leaves a prefix.
 */
final class RocksStorage implements Storage {
  private final DataDirectory directory;
  private final EngineFailures failures;
  private final RocksEngine engine;
  private final LogReplay replay;
  private final LogFeed feed;
  private final LogFeeder feeder;
  private final WriteAheadLog log;
  private final Facts opened;
  private final long openedAt;
  private final BegunCopies copies;
  private StepWriter steps = new StepWriter();
  private long position;

  /** Taken for writing to close: no force, and no read, goes on after it. */
  private final ReentrantReadWriteLock forces = new ReentrantReadWriteLock();

  private volatile @Nullable StorageException failure;
  private volatile boolean closing;
  private volatile boolean closed;

  /**
   * Of an engine that has all that the log had;.
   *
   * @param newest the number of the log's newest segment; 0: there is none
   */
  RocksStorage(
      DataDirectory directory,
      EngineLimits limits,
      EngineFailures failures,
      RocksEngine engine,
      LogReplay replay,
      LogFeed feed,
      Facts opened,
      long newest)
      throws IOException {
    this.directory = directory;
    this.failures = failures;
    this.engine = engine;
    this.replay = replay;
    this.feed = feed;
    this.opened = opened;
    this.openedAt = opened.position;
    this.position = opened.position;
    this.copies = new BegunCopies(opened.copies.keySet());
    long disk = directory.label().disk().value();
    feeder = new LogFeeder(feed, disk, "canopy-feed-" + directory.path(), this::feedFailed);
    try {
      log =
          new WriteAheadLog(
              directory.log(), disk, newest + 1, position, limits.segmentBytes(), new Segments());
    } catch (IOException | RuntimeException e) {
      feeder.end();
      throw e;
    }
  }

  /** Hears of the log's segments. */
  private final class Segments implements WriteAheadLog.Listener {
    @Override
    public void begun(long number) {
      OwnThread.run("canopy-log", () -> directory.logBegan(number));
    }

    @Override
    public void ended(long number, Path path) {
      feeder.add(path);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException something was written since, or the storage is closed
   */
  @Override
  public synchronized Recovered recovered(IntPredicate withVersions) {
    checkOpen();
    if (position != openedAt) {
      throw new IllegalStateException("the content is not what it was when it was opened");
    }
    try {
      Recovered content = new ContentReader(engine).content(opened, withVersions);
      feed.learn(content);
      return content;
    } catch (RocksDBException e) {
      throw failed(failures.of(e));
    } catch (MalformedBytesException e) {
      throw failed(failures.malformed(e));
    }
  }

  @Override
  public Recovered.Copy open(int shard, long valueBytesMax) {
    Recovered.Copy read =
        reading(() ->
            engine.look(moment ->
                new ContentReader(untilClosed(moment)).copy(opened, shard, valueBytesMax)));
    Recovered.Copy copy = Invariant.present(read, "a copy was read");
    feed.learn(shard, copy);
    return copy;
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
    try {
      List<List<StorageChange>> changes = new ArrayList<>(batches.size());
      for (Batch batch : batches) {
        batch.changes().forEach(copies::follow);
        changes.add(batch.changes());
      }
      if (log.isFull()) {
        log.next();
        steps = new StepWriter();
      }
      ByteBuffer content = steps.encode(changes);
      int bytes = content.remaining();
      log.append(last, content);
      feeder.awaitRoom(bytes);
      checkWorks();
    } catch (IOException e) {
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
  public long readableUpTo() {
    return feed.stored();
  }

  @Override
  public void hurry() {
    feeder.hurry();
  }

  @Override
  public byte @Nullable [] read(VersionId id) {
    byte[] key = ShardKeys.ofVersion(id.shard(), id.key(), id.sequenceNumber(), id.tid());
    return reading(() -> {
      byte[] bytes = engine.get(Family.DATA, key);
      return bytes == null ? null : VersionBytes.read(bytes, id.tid()).value();
    });
  }

  /** The content as long as the storage is open: to close it is not to wait for a large copy. */
  private EngineContent untilClosed(EngineContent content) {
    return (family, from, to, reader) ->
        content.read(
            family,
            from,
            to,
            (key, value) -> {
              if (closing) {
                throw new IllegalStateException("the storage is closed: " + directory.path());
              }
              reader.read(key, value);
            });
  }

  /** A look into the engine. */
  private interface Reading<T> {
    @Nullable T run() throws RocksDBException;
  }

  private <T> @Nullable T reading(Reading<T> look) {
    forces.readLock().lock();
    try {
      checkOpen();
      return look.run();
    } catch (RocksDBException e) {
      throw failed(failures.of(e));
    } catch (MalformedBytesException e) {
      throw failed(failures.malformed(e));
    } finally {
      forces.readLock().unlock();
    }
  }

  @Override
  public void force() {
    forces.readLock().lock();
    try {
      checkOpen();
      checkWorks();
      log.force();
      checkBackground();
    } catch (IOException e) {
      throw failed(failures.of(e));
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

  /** Finds failures of the engine's own work, which merges sorted files. */
  private void checkBackground() throws RocksDBException {
    if (engine.hasFailedInBackground()) {
      throw failed(failures.inBackground(null));
    }
  }

  private StorageException failed(StorageException e) {
    failure = e;
    return e;
  }

  private void feedFailed(Throwable e) {
    failure = failures.ofAny(e);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StorageException what was written last is perhaps not forced; the disk is given up
   */
  @Override
  public void close() {
    closing = true;
    closeWhenFree();
  }

  private synchronized void closeWhenFree() {
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
        engine;
        log) {
      feeder.end();
      if (failure == null) {
        log.force();
        LogReplay.End end = replay.run(feed.position(), feed::take);
        feed.endsInOrder(end.number());
        feed.store();
        replay.remove(end.number() - 1);
      }
    } catch (IOException | RocksDBException e) {
      // The failure before has been told, and what follows from it says nothing new.
      if (failure == null) {
        throw failures.ofAny(e);
      }
    }
  }
}
