package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.BackupDocument;
import io.canopygrid.server.backup.format.BackupFile;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.StoreFailures;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One backup in a store. Failures of the store are coded. Thread-safe. */
final class BackupFolder {
  static final String MANIFEST = "manifest.json";
  private static final String PLAN = "plan.json";
  private static final Pattern NAME = Pattern.compile("[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z");

  private final BlobStore store;
  private final String name;

  BackupFolder(BlobStore store, String name) {
    this.store = store;
    this.name = name;
  }

  /** A step in a store. */
  private interface Step<T> {
    T run() throws IOException;
  }

  private static <T> T coded(BlobStore store, Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      throw StoreFailures.coded(store, e);
    }
  }

  /** All backups of a store, the oldest one first. Other folders are left out. */
  static List<BackupFolder> all(BlobStore store) {
    return coded(store, store::folders).stream()
        .filter(NAME.asMatchPredicate())
        .map(name -> new BackupFolder(store, name))
        .toList();
  }

  /**
   * The backup of a name, or the newest one.
   *
   * @param name empty: the newest one that {@code wanted} takes
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where there is none
   */
  static BackupFolder find(BlobStore store, String name, Predicate<BackupFolder> wanted) {
    List<BackupFolder> all = new ArrayList<>(all(store));
    for (int i = all.size() - 1; i >= 0; i--) {
      BackupFolder one = all.get(i);
      if (name.isEmpty() ? wanted.test(one) : one.name.equals(name)) {
        return one;
      }
    }
    throw new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        store.describe() + " has no " + (name.isEmpty() ? "whole backup" : "backup " + name));
  }

  String name() {
    return name;
  }

  private String blob(String file) {
    return name + "/" + file;
  }

  void put(String file, byte[] content) {
    coded(
        store,
        () -> {
          store.put(blob(file), content);
          return true;
        });
  }

  /**
   * The content of a file.
   *
   * @throws CanopyException {@link ErrorCode#BACKUP_DAMAGED} where there is none
   */
  byte[] get(String file) {
    byte[] content = find(file);
    if (content == null) {
      throw new CanopyException(ErrorCode.BACKUP_DAMAGED, blob(file) + " is missing");
    }
    return content;
  }

  private byte @Nullable [] find(String file) {
    try {
      return store.get(blob(file));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw StoreFailures.coded(store, e);
    }
  }

  /** The names of all files, sorted. */
  List<String> files() {
    return coded(store, () -> store.list(name)).stream()
        .map(file -> file.substring(name.length() + 1))
        .toList();
  }

  /**
   * Begins the backup.
   *
   * @return false: the name is taken
   */
  boolean begin(BackupPlan plan) {
    return coded(store, () -> store.putIfAbsent(blob(PLAN), BackupDocument.write(plan)));
  }

  /** The work that has begun; null: none has, or it is done. */
  @Nullable BackupPlan plan() {
    byte[] plan = find(PLAN);
    return plan == null ? null : BackupDocument.read(blob(PLAN), plan, BackupPlan.class);
  }

  /** Makes the backup whole. */
  void complete(Manifest manifest) {
    put(MANIFEST, BackupDocument.write(manifest));
  }

  /** Whether the backup is whole, as far as its manifest says so. */
  boolean isWhole() {
    return find(MANIFEST) != null;
  }

  /**
   * The manifest.
   *
   * @throws CanopyException {@link ErrorCode#BACKUP_DAMAGED}, also where the backup is not whole;
   *     {@link ErrorCode#BACKUP_FORMAT}
   */
  Manifest manifest() {
    byte[] manifest = find(MANIFEST);
    if (manifest == null) {
      throw new CanopyException(
          ErrorCode.BACKUP_DAMAGED,
          "backup " + name + " in " + store.describe() + " is not whole: it has no manifest");
    }
    return BackupDocument.read(blob(MANIFEST), manifest, Manifest.class);
  }

  /**
   * Checks that all files are there, before anything is done with one.
   *
   * @throws CanopyException {@link ErrorCode#BACKUP_DAMAGED}
   */
  void checkFiles(Manifest manifest) {
    Set<String> there = new HashSet<>(files());
    for (BackedIndex index : manifest.indexes()) {
      for (BackupFile file : index.files()) {
        if (!there.contains(file.name())) {
          throw new CanopyException(ErrorCode.BACKUP_DAMAGED, blob(file.name()) + " is missing");
        }
      }
    }
  }

  /** Removes what only an unfinished backup has. */
  void tidy() {
    for (String file : files()) {
      if (file.startsWith(BackupCreation.DONE)) {
        delete(file);
      }
    }
    delete(PLAN);
  }

  /** Removes the backup; first of all it is not whole any more. */
  void remove() {
    delete(MANIFEST);
    List<String> files = files();
    files.stream().filter(file -> !file.equals(PLAN)).forEach(this::delete);
    delete(PLAN);
  }

  private void delete(String file) {
    coded(
        store,
        () -> {
          store.delete(blob(file));
          return true;
        });
  }
}
