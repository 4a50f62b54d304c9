package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with Canopy's families and options. It is closed once, and not used afterwards. */
final class RocksEngine implements EngineContent, AutoCloseable {
  private static final long STALL_NANOS = 500_000;

  private final RocksDB db;
  private final List<ColumnFamilyHandle> handles;
  private final Map<Family, ColumnFamilyHandle> families = new EnumMap<>(Family.class);
  private final EngineOptions options;

  /** A write that would have to wait returns at once, since it could wait for ever. */
  private final WriteOptions unlogged = new WriteOptions().setNoSlowdown(true).setDisableWAL(true);

  private RocksEngine(RocksDB db, List<ColumnFamilyHandle> handles, EngineOptions options) {
    this.db = db;
    this.handles = handles;
    this.options = options;
    int next = 1; // behind the family that any engine has
    for (Family family : Family.values()) {
      families.put(family, handles.get(next++));
    }
  }

  /**
   * Opens the engine in a directory.
   *
   * @param isNew whether it is made, else it must be there
   */
  static RocksEngine open(Path path, EngineLimits limits, boolean isNew, EngineFailures failures) {
    return open(path, limits, isNew, failures, RocksDB::open);
  }

  /** Opens an engine that was made, so that nothing is written to its directory. */
  static RocksEngine openToRead(Path path, EngineFailures failures) {
    return open(path, EngineLimits.DEFAULT, false, failures, RocksDB::openReadOnly);
  }

  /** The way in which RocksDB is opened. */
  private interface Opening {
    RocksDB open(
        DBOptions options,
        String path,
        List<ColumnFamilyDescriptor> families,
        List<ColumnFamilyHandle> handles)
        throws RocksDBException;
  }

  private static RocksEngine open(
      Path path, EngineLimits limits, boolean isNew, EngineFailures failures, Opening opening) {
    loadNatives();
    if (!isNew) {
      cutOffTornEnd(path, failures);
    }
    EngineOptions options = new EngineOptions(limits, isNew);
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(
        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.ofFamilies()));
    for (Family family : Family.values()) {
      descriptors.add(new ColumnFamilyDescriptor(family.bytes(), options.ofFamilies()));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try {
      RocksDB db = opening.open(options.ofEngine(), path.toString(), descriptors, handles);
      return new RocksEngine(db, handles, options);
    } catch (RocksDBException e) {
      options.close();
      throw isNew ? failures.of(e) : failures.atOpen(e);
    }
  }

  /** A power cut can tear the log of the engine's files. */
  private static void cutOffTornEnd(Path path, EngineFailures failures) {
    try {
      Path current = path.resolve("CURRENT");
      if (!Files.exists(current)) {
        return; // which the engine finds, too, and says
      }
      Path files = path.resolve(Files.readString(current).strip());
      if (Files.isRegularFile(files) && !TornLog.cutOff(files)) {
        throw failures.damaged("a checksum in " + files.getFileName() + " is wrong", null);
      }
    } catch (IOException e) {
      throw failures.of(e);
    }
  }

  /** The natives are unpacked into the directory for temporary files when they are first needed. */
  private static void loadNatives() {
    try {
      RocksDB.loadLibrary();
    } catch (RuntimeException | LinkageError e) {
      throw new StorageException(
          Reason.NOT_ACCESSIBLE,
          String.format(
              Locale.ROOT,
              "RocksDB's native library for %s on %s cannot be loaded (%s): it is unpacked into %s,"
                  + " from where the system must let programs be run (java.io.tmpdir)",
              System.getProperty("os.name"),
              System.getProperty("os.arch"),
              e.getMessage(),
              System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  ColumnFamilyHandle family(Family family) {
    return Invariant.present(families.get(family), "each family has a handle");
  }

  /**
   * Takes a batch in, which is in memory then. Where the engine's own work is behind, it waits for
   * it, unless that work has failed.
   */
  void write(WriteBatch batch) throws RocksDBException {
    waitUntilDone(() -> db.write(unlogged, batch));
  }

  /** Something that the engine refuses while its own work is behind. */
  private interface Call {
    void run() throws RocksDBException;
  }

  private void waitUntilDone(Call call) throws RocksDBException {
    while (true) {
      try {
        call.run();
        return;
      } catch (RocksDBException e) {
        if (!EngineFailures.isBehind(e.getStatus()) || hasFailedInBackground()) {
          throw e;
        }
        LockSupport.parkNanos(STALL_NANOS);
      }
    }
  }

  /** Whether any of the engine's own work has failed since it was opened. */
  boolean hasFailedInBackground() throws RocksDBException {
    return db.getLongProperty("rocksdb.background-errors") > 0;
  }

  /** The value of a key; null: there is none. Any thread. */
  byte @Nullable [] get(Family family, byte[] key) throws RocksDBException {
    return db.get(family(family), key);
  }

  @Override
  public void read(Family family, byte[] from, byte[] to, EntryReader reader)
      throws RocksDBException {
    try (ReadOptions newest = new ReadOptions()) {
      read(family, from, to, reader, newest);
    }
  }

  private void read(Family family, byte[] from, byte[] to, EntryReader reader, ReadOptions options)
      throws RocksDBException {
    try (Slice end = new Slice(to);
        ReadOptions bounds = options.setIterateUpperBound(end).setFillCache(false);
        RocksIterator entries = db.newIterator(family(family), bounds)) {
      for (entries.seek(from); entries.isValid(); entries.next()) {
        reader.read(entries.key(), entries.value());
      }
      entries.status();
    }
  }

  /** Work on the content of one moment. */
  interface Look<T> {
    T at(EngineContent moment) throws RocksDBException;
  }

  /** Does something with the content of one moment, which writes do not change. Any thread. */
  <T> T look(Look<T> work) throws RocksDBException {
    Snapshot moment = db.getSnapshot();
    try {
      return work.at((family, from, to, reader) -> {
        try (ReadOptions then = new ReadOptions().setSnapshot(moment)) {
          read(family, from, to, reader, then);
        }
      });
    } finally {
      db.releaseSnapshot(moment);
    }
  }

  /** Reads all entries of a family, in order. */
  void read(Family family, EntryReader reader) throws RocksDBException {
    try (ReadOptions options = new ReadOptions().setFillCache(false);
        RocksIterator entries = db.newIterator(family(family), options)) {
      for (entries.seekToFirst(); entries.isValid(); entries.next()) {
        reader.read(entries.key(), entries.value());
      }
      entries.status();
    }
  }

  /** Reads all sorted files, and compares each block with its checksum. */
  void verifyChecksums() throws RocksDBException {
    db.verifyChecksum();
  }

  /**
   * Writes all buffers to sorted files, which are forced, all or none of them. Gives up when that
   * fails: the engine itself would wait until there is room.
   */
  void flush() throws RocksDBException {
    try (FlushOptions begun = new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true)) {
      waitUntilDone(() -> db.flush(begun, handles));
    }
    while (hasUnwrittenBuffers() && !hasFailedInBackground()) {
      LockSupport.parkNanos(STALL_NANOS);
    }
  }

  private boolean hasUnwrittenBuffers() throws RocksDBException {
    for (ColumnFamilyHandle handle : handles) {
      if (db.getLongProperty(handle, "rocksdb.num-immutable-mem-table") > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws RocksDBException {
    try {
      handles.forEach(ColumnFamilyHandle::close);
      unlogged.close();
      db.closeE();
    } finally {
      options.close();
    }
  }
}
