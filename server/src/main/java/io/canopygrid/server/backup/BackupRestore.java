package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.BackupFile;
import io.canopygrid.server.backup.format.EntryReader;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.table.TableDefinitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Fills a grid with what a backup has. Until all is there the grid has a {@link RestoreMark}, and
 * all secondary indexes of its tables are being built, so that nobody reads by them. One
 * transaction makes them ready and the restore complete.
 */
final class BackupRestore {
  private final RemoteCanopy db;
  private final BackupFolder folder;
  private final RestoreMark mark;
  private final Map<String, BackedIndex> backed = new TreeMap<>();
  private final Map<String, RestoredIndex> restored = new LinkedHashMap<>();

  /** The lists of tables' indexes, by the name of the index of the backup that has them. */
  private final Map<String, byte[]> lists = new TreeMap<>();

  private final LongAdder written = new LongAdder();

  BackupRestore(RemoteCanopy db, BackupFolder folder, Manifest manifest, RestoreMark mark) {
    this.db = db;
    this.folder = folder;
    this.mark = mark;
    for (BackedIndex index : manifest.indexes()) {
      if (mark.work().names().containsKey(index.name())) {
        backed.put(index.name(), index);
      }
    }
  }

  /** The number of entries that are restored so far. */
  long written() {
    return written.sum();
  }

  /** The number of entries that are to be restored. */
  long expected() {
    return backed.values().stream().mapToLong(BackedIndex::entries).sum();
  }

  /** The bytes of their keys and values. */
  long bytes() {
    return backed.values().stream()
        .flatMap(index -> index.files().stream())
        .mapToLong(BackupFile::bytes)
        .sum();
  }

  /**
   * Checks that no other restore has begun.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  static void checkUnmarked(RemoteCanopy db) {
    if (RestoreMark.find(db) != null) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, RestoreMark.HINT);
    }
  }

  /**
   * The indexes and tables that have the names of what is to be restored.
   *
   * @param names of the indexes that are to be made
   */
  static Set<String> inTheWay(RemoteCanopy db, Collection<String> names) {
    Set<String> wanted = wholes(names);
    Set<String> there = wholes(Patience.call(db::indexes));
    there.retainAll(wanted);
    return there;
  }

  /** The indexes and tables that have or are indexes of these names. */
  private static Set<String> wholes(Collection<String> names) {
    Set<String> wholes = new TreeSet<>();
    names.forEach(name -> wholes.add(RestoreSelection.whole(name)));
    return wholes;
  }

  private static void drop(RemoteCanopy db, String name) {
    Patience.call(() -> db.dropTable(name));
    Patience.call(() -> db.dropIndex(name));
  }

  /** Drops what an unfinished restore has made, and the mark. */
  static void discard(RemoteCanopy db, RestoreMark mark) {
    if (!mark.work().isComplete()) {
      wholes(mark.work().names().values()).forEach(name -> drop(db, name));
    }
    mark.remove();
  }

  /**
   * Restores everything that is not there yet.
   *
   * @param isNew whether nothing is there yet
   * @param tick is run now and then
   */
  void run(int workers, boolean isNew, Runnable tick) {
    if (!mark.work().isComplete()) {
      if (mark.work().step() == RestoreWork.Step.CLEARING) {
        inTheWay(db, mark.work().names().values()).forEach(name -> drop(db, name));
        mark.goTo(RestoreWork.Step.FILLING);
      }
      createAll();
      fillAll(workers, isNew, tick);
      for (RestoredIndex index : restored.values()) {
        tick.run(); // a count of many entries takes long
        index.checkCount();
      }
      tick.run();
      complete();
    }
    mark.remove();
  }

  /** Rows and definitions come before the entries, which their tables have to want. */
  private void createAll() {
    backed.values().stream()
        .filter(index -> TableNames.numberOf(index.name()) == 0)
        .forEach(this::create);
    for (BackedIndex index : backed.values()) {
      String table = TableNames.tableOf(index.name());
      if (table != null && index.name().equals(TableNames.definitions(table))) {
        fillDefinitions(index);
      }
    }
    for (BackedIndex index : backed.values()) {
      if (TableNames.numberOf(index.name()) > 0 && isWanted(index)) {
        create(index);
      }
    }
  }

  /** Entries that a drop has left behind are in no list, and nothing leads to them. */
  private boolean isWanted(BackedIndex entries) {
    String table = String.valueOf(TableNames.tableOf(entries.name()));
    byte[] list = lists.get(TableNames.definitions(table));
    BackedIndex rows = backed.get(TableNames.rows(table));
    return list != null
        && rows != null
        && TableDefinitions.isBuilding(
            TableDefinitions.building(list),
            TableNames.numberOf(entries.name()),
            rows.keys(),
            entries.keys());
  }

  private void create(BackedIndex index) {
    String name = mark.work().names().get(index.name());
    restored.put(index.name(), RestoredIndex.create(db, index, String.valueOf(name)));
  }

  private RestoredIndex restored(String name) {
    RestoredIndex index = restored.get(name);
    if (index == null) {
      throw new IllegalStateException("index '" + name + "' was not created");
    }
    return index;
  }

  private void fillDefinitions(BackedIndex definitions) {
    RestoredIndex to = restored(definitions.name());
    for (BackupFile file : definitions.files()) {
      EntryReader.read(
          file,
          folder.get(file.name()),
          (key, value) -> {
            byte[] put = value;
            if (Arrays.equals(key, TableDefinitions.key())) {
              lists.put(definitions.name(), value);
              put = TableDefinitions.building(value);
            }
            to.put(key, put);
          });
      written.add(file.entries());
    }
  }

  private void fillAll(int workers, boolean isNew, Runnable tick) {
    Set<String> done = mark.done();
    List<Callable<Boolean>> files = new ArrayList<>();
    for (RestoredIndex index : restored.values()) {
      String table = TableNames.tableOf(index.from().name());
      if (table != null && index.from().name().equals(TableNames.definitions(table))) {
        continue;
      }
      for (BackupFile file : index.from().files()) {
        files.add(() -> {
          if (!done.contains(file.name())) {
            index.fill(file, folder.get(file.name()), isNew);
            mark.done(file.name());
          }
          written.add(file.entries());
          return true;
        });
      }
    }
    Workers.run(workers, files, tick);
  }

  private void complete() {
    Patience.call(() -> {
      db.run(tx -> {
        lists.forEach((name, list) -> restored(name).put(tx, TableDefinitions.key(), list));
        mark.goTo(RestoreWork.Step.COMPLETE, tx);
      });
      return true;
    });
  }

  /**
   * The mark of the restore that is to go on.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where there is none, or it is of
   *     another backup
   */
  static RestoreMark unfinished(RemoteCanopy db, @Nullable Manifest manifest) {
    RestoreMark mark = RestoreMark.find(db);
    if (mark == null) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the grid has no restore that was interrupted");
    }
    if (manifest != null
        && !(mark.work().backup().equals(manifest.name())
            && mark.work().grid().equals(manifest.grid()))) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the restore that was interrupted is of backup " + mark.work().backup());
    }
    return mark;
  }
}
