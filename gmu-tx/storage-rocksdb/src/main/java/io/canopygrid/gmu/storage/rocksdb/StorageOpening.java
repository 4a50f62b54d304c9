package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.gmu.storage.directory.DiskLabel;
import io.canopygrid.gmu.storage.wal.LogReplay;
import java.io.IOException;
import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Opens the storage of a data directory: the engine, then what the log has beyond it. Confined to
 * one thread.
 */
final class StorageOpening {
  private final DataDirectory directory;
  private final EngineLimits limits;
  private final EngineFailures failures;

  private StorageOpening(DataDirectory directory, EngineLimits limits) {
    this.directory = directory;
    this.limits = limits;
    this.failures = new EngineFailures(directory.path());
  }

  /**
   * Opens the storage of a data directory, or makes it. The directory is closed with the storage,
   * and also if this fails.
   *
   * @throws StorageException it cannot be opened
   */
  static RocksStorage open(DataDirectory directory, EngineLimits limits) {
    try {
      return new StorageOpening(directory, limits).open();
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private RocksStorage open() {
    boolean isMade = directory.label().storageMade();
    if (!isMade) {
      directory.removeStorage();
    }
    RocksEngine engine = RocksEngine.open(directory.engine(), limits, !isMade, failures);
    try {
      if (!isMade) {
        begin(engine);
      }
      return open(engine);
    } catch (IOException | RocksDBException | RuntimeException e) {
      StorageException failure = failures.ofAny(e);
      try {
        engine.close();
      } catch (RocksDBException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
      throw failure;
    }
  }

  private void begin(RocksEngine engine) throws RocksDBException {
    directory.makeLog();
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(
          engine.family(Family.FACTS),
          FactKeys.of(FactKeys.DISK),
          FactKeys.ofLong(directory.label().disk().value()));
      engine.write(batch);
      engine.flush();
    }
  }

  private RocksStorage open(RocksEngine engine) throws IOException, RocksDBException {
    ContentReader reader = new ContentReader(engine);
    Facts before = reader.facts();
    DiskLabel label = directory.label();
    check(before, label);
    LogReplay replay = new LogReplay(directory.log(), label.disk().value(), label.newestLog());
    LogFeed feed =
        new LogFeed(
            engine,
            failures,
            new ChangeWriter(before, reader.decisionRanges()),
            before.position,
            limits.segmentBytes());
    LogReplay.End end = replay.run(before.position, feed::take);
    if (mayLack(label, before, end)) {
      feed.mayLack(); // the next segment will not tell that the machine has stopped
    }
    feed.store();
    feed.dropIncomplete();
    RocksStorage storage =
        new RocksStorage(
            directory, limits, failures, engine, replay, feed, reader.facts(), end.number());
    try {
      replay.remove(end.number());
      return storage;
    } catch (IOException e) {
      storage.close();
      throw e;
    }
  }

  /**
   * Whether a power cut may have taken what was written last. Not where each write was forced, and
   * not where nothing ever was; nor where the log has no segment behind the one with which the disk
   * was closed in order, or the machine still runs as it did when the newest one began.
   */
  private static boolean mayLack(DiskLabel label, Facts facts, LogReplay.End end) {
    return label.durability() != Durability.FSYNC
        && end.position() > 0
        && end.number() != facts.closedAt
        && end.mayHaveStopped();
  }

  private void check(Facts facts, DiskLabel label) {
    if (facts.disk == 0) {
      throw failures.damaged("it has lost all that it had", null);
    }
    if (facts.disk != label.disk().value()) {
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
  }
}
