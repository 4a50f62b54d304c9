package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.BackupFile;
import io.canopygrid.server.backup.format.EntryReader;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.table.EntryOwners;
import io.canopygrid.table.TableDefinitions;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads all of a backup, and looks for what is wrong: files that are missing, or have not the bytes
 * that were written; keys out of order; entries of a table's indexes that have no row.
 */
final class BackupVerification {
  private static final int PROBLEMS_TOLD_MAX = 20;

  private final BackupFolder folder;
  private final Manifest manifest;
  private final Map<String, BackedIndex> byName = new HashMap<>();
  private final Set<String> problems = new TreeSet<>();
  private final AtomicLong problemCount = new AtomicLong();
  private final LongAdder read = new LongAdder();

  BackupVerification(BackupFolder folder, Manifest manifest) {
    this.folder = folder;
    this.manifest = manifest;
    manifest.indexes().forEach(index -> byName.put(index.name(), index));
  }

  /** The first and the last key of a file; null: it has none, or cannot be read. */
  private record Ends(byte @Nullable [] first, byte @Nullable [] last) {}

  /** The number of entries that are read so far; those of tables' rows and indexes count twice. */
  long read() {
    return read.sum();
  }

  /** The number of problems. */
  long problemCount() {
    return problemCount.get();
  }

  /** The problems, the first of them where they are many. */
  List<String> problems() {
    synchronized (problems) {
      return List.copyOf(problems);
    }
  }

  private void found(String problem) {
    problemCount.incrementAndGet();
    synchronized (problems) {
      if (problems.size() < PROBLEMS_TOLD_MAX) {
        problems.add(problem);
      }
    }
  }

  /**
   * Reads everything.
   *
   * @param tick is run now and then
   */
  void run(int workers, Runnable tick) {
    List<Callable<Ends>> files = new ArrayList<>();
    for (BackedIndex index : manifest.indexes()) {
      index.files().forEach(file -> files.add(() -> ends(file)));
    }
    List<Ends> all = Workers.run(workers, files, tick);
    int at = 0;
    for (BackedIndex index : manifest.indexes()) {
      checkOrder(index, all.subList(at, at + index.files().size()));
      at += index.files().size();
    }
    for (BackedIndex index : manifest.indexes()) {
      String table = TableNames.tableOf(index.name());
      if (table != null && index.name().equals(TableNames.rows(table)) && problemCount() == 0) {
        checkTable(table, index, workers, tick);
      }
    }
  }

  private Ends ends(BackupFile file) {
    byte[][] ends = new byte[2][];
    try {
      EntryReader.read(
          file,
          folder.get(file.name()),
          (key, value) -> {
            ends[0] = ends[0] == null ? key : ends[0];
            ends[1] = key;
            read.increment();
          });
    } catch (CanopyException e) {
      found(folder.name() + "/" + e.detail());
      return new Ends(null, null);
    }
    return new Ends(ends[0], ends[1]);
  }

  private void checkOrder(BackedIndex index, List<Ends> files) {
    byte[] before = null;
    for (int i = 0; i < files.size(); i++) {
      byte[] first = files.get(i).first();
      if (before != null && first != null && Arrays.compareUnsigned(before, first) >= 0) {
        found(
            "index '"
                + index.name()
                + "': the keys of "
                + index.files().get(i).name()
                + " are not above those before");
      }
      byte[] last = files.get(i).last();
      before = last == null ? before : last;
    }
  }

  private void checkTable(String table, BackedIndex rows, int workers, Runnable tick) {
    BackedIndex definitions = byName.get(TableNames.definitions(table));
    byte[] list = definitions == null ? null : list(definitions);
    if (list == null) {
      return;
    }
    RowKeys keys = null;
    for (BackedIndex index : manifest.indexes()) {
      int number = TableNames.numberOf(index.name());
      if (number == 0 || !table.equals(TableNames.tableOf(index.name()))) {
        continue;
      }
      EntryOwners owners = TableDefinitions.owners(list, number, rows.keys());
      if (owners == null) {
        continue;
      }
      keys = keys == null ? rowKeys(rows, workers, tick) : keys;
      RowKeys known = keys;
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (BackupFile file : index.files()) {
        tasks.add(() -> {
          checkEntries(index, file, owners, known);
          return true;
        });
      }
      Workers.run(workers, tasks, tick);
    }
  }

  private byte @Nullable [] list(BackedIndex definitions) {
    byte[][] list = new byte[1][];
    for (BackupFile file : definitions.files()) {
      EntryReader.read(
          file,
          folder.get(file.name()),
          (key, value) -> {
            if (Arrays.equals(key, TableDefinitions.key())) {
              list[0] = value;
            }
          });
    }
    return list[0];
  }

  private RowKeys rowKeys(BackedIndex rows, int workers, Runnable tick) {
    RowKeys keys = new RowKeys(rows.entries());
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (BackupFile file : rows.files()) {
      tasks.add(() -> {
        EntryReader.read(
            file,
            folder.get(file.name()),
            (key, value) -> {
              keys.add(key);
              read.increment();
            });
        return true;
      });
    }
    Workers.run(workers, tasks, tick);
    keys.sort();
    return keys;
  }

  private void checkEntries(BackedIndex index, BackupFile file, EntryOwners owners, RowKeys rows) {
    EntryReader.read(
        file,
        folder.get(file.name()),
        (key, value) -> {
          read.increment();
          try {
            if (!rows.contains(owners.rowOf(key, value))) {
              found("index '" + index.name() + "' has an entry in " + file.name() + " without row");
            }
          } catch (MalformedBytesException e) {
            found("index '" + index.name() + "': " + file.name() + ": " + e.getMessage());
          }
        });
  }
}
