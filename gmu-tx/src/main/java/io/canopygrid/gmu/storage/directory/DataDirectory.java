package io.canopygrid.gmu.storage.directory;

import io.canopygrid.Durability;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of a node, locked as long as it is open. Thread-safe.
 *
 * <p>Its label says whose data it is. The label is replaced as a whole, and forced, so after a
 * crash it is the old one or the new one. The directories of the engine and of the write-ahead log
 * belong to the storage.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LABEL = "CANOPY";
  private static final String ENGINE = "engine";
  private static final String LOG = "log";
  private static final String MEMBERS = "MEMBERS";
  private static final String LOST = "LOST";

  /** Its node has left the grid for good: nothing of what is here counts. */
  private static final String LEFT = "LEFT";

  /**
   * Entries of a directory that counts as empty: those that an interrupted beginning leaves, and
   * the one that some file systems have at their root.
   */
  private static final Set<String> OF_AN_EMPTY_ONE =
      Set.of(DirectoryLock.FILE, LABEL + ".new", LEFT + ".new", "lost+found");

  private final Path path;
  private final DirectoryLock lock;
  private final boolean labelWhole;

  /** The durability that the node is set to, at least the label's. */
  private final Durability durability;

  /** Replaced with this object's monitor held; read without, as a write may take long. */
  private volatile DiskLabel label;

  private boolean closed;

  private DataDirectory(
      Path path, DirectoryLock lock, Durability durability, DiskLabel label, boolean labelWhole) {
    this.path = path;
    this.lock = lock;
    this.durability = durability;
    this.label = label;
    this.labelWhole = labelWhole;
  }

  /**
   * Opens a directory, and makes one where there is none, or an empty one.
   *
   * @param shards the number of the grid's shards, at least 1
   * @param durability that the node is set to; {@link #joins} raises that of the directory to it
   * @throws StorageException it cannot be used; the message names it and says what can be done
   */
  public static DataDirectory open(Path path, int shards, Durability durability) {
    if (shards < 1) {
      throw new IllegalArgumentException("shards must be >= 1: shards=" + shards);
    }
    try {
      DirectoryFiles.make(path);
      return locked(path, lock -> open(path, lock, shards, durability));
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * Opens a directory that has a node's data, of whatever grid, to look at it. Changes nothing but
   * the lock.
   *
   * @throws StorageException it has no data, is damaged, or is open elsewhere
   */
  public static DataDirectory openToLook(Path path) {
    try {
      if (Files.exists(path.resolve(LEFT))) {
        throw failure(
            Reason.FOREIGN,
            "the node of data directory %s has left its grid for good, what is in it does not count:"
                + " name another directory",
            path);
      }
      if (!Files.isDirectory(path) || read(path) == null) {
        throw failure(
            Reason.FOREIGN, "directory %s has no data of a node: name a data directory", path);
      }
      return locked(
          path,
          lock -> {
            LabelBytes.Content content = Invariant.present(read(path), "there a moment ago");
            LabelBytes.Block block = content.block();
            DiskLabel label = block == null ? null : block.label();
            int shards = label == null ? 1 : label.shards();
            Durability durability = label == null ? Durability.ASYNC : label.durability();
            DiskLabel checked = checked(path, block, shards, durability);
            return new DataDirectory(path, lock, durability, checked, content.isWhole());
          });
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /** Makes the object of a directory that is locked. */
  private interface Opening {
    DataDirectory open(DirectoryLock lock) throws IOException;
  }

  private static DataDirectory locked(Path path, Opening opening) throws IOException {
    DirectoryLock lock = DirectoryLock.of(path);
    try {
      return opening.open(lock);
    } catch (IOException | RuntimeException e) {
      try {
        lock.close();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  /**
   * Looks whether a directory could be opened. Makes and changes nothing. The directory is locked
   * for a moment only, so another process may be the first to open it all the same.
   *
   * @throws StorageException as {@link #open} would throw it; that it is in use, where all else is
   *     right
   */
  public static void check(Path path, int shards, Durability durability) {
    try {
      if (DirectoryFiles.isThere(path)) {
        LabelBytes.Content content = Files.exists(path.resolve(LEFT)) ? null : read(path);
        if (content != null) {
          checked(path, content.block(), shards, durability);
        }
        DirectoryLock.checkFree(path);
      }
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  private static DataDirectory open(
      Path path, DirectoryLock lock, int shards, Durability durability) throws IOException {
    if (Files.exists(path.resolve(LEFT))) {
      empty(path);
    }
    LabelBytes.Content content = read(path);
    if (content == null) {
      DiskLabel label = new DiskLabel(newDisk(), null, shards, durability, 0);
      DirectoryFiles.replace(path, LABEL, LabelBytes.encode(label));
      return new DataDirectory(path, lock, durability, label, true);
    }
    DiskLabel label = checked(path, content.block(), shards, durability);
    DataDirectory directory = new DataDirectory(path, lock, durability, label, content.isWhole());
    if (label.grid() == null) {
      directory.replace(label.withDurability(durability));
    } else if (content.isToBeWritten()) {
      directory.replace(label);
    }
    return directory;
  }

  /** Drops what a node has left; the mark goes last, so an interrupted drop is done again. */
  private static void empty(Path path) throws IOException {
    for (String name : List.of(ENGINE, LOG, MEMBERS, LOST, LABEL, LEFT)) {
      DirectoryFiles.removeForced(path, name);
    }
  }

  /** The content of the label's file; null: there is none, and the directory is empty. */
  private static LabelBytes.@Nullable Content read(Path path) throws IOException {
    Path file = path.resolve(LABEL);
    if (!Files.exists(file)) {
      checkEmpty(path);
      return null;
    }
    return LabelBytes.decode(Files.readAllBytes(file));
  }

  private static void checkEmpty(Path path) throws IOException {
    List<String> entries;
    try (Stream<Path> found = Files.list(path)) {
      entries = found.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
    if (entries.contains(ENGINE)) {
      throw failure(
          Reason.DAMAGED,
          "data directory %s lacks its file %s: put it back, or move the directory aside and start"
              + " with an empty one; the node then gets its data from the others",
          path,
          LABEL);
    }
    for (String entry : entries) {
      if (!OF_AN_EMPTY_ONE.contains(entry)) {
        throw failure(
            Reason.FOREIGN,
            "directory %s has something else in it (%s): name an empty one as data directory",
            path,
            entry);
      }
    }
  }

  /** The label that was read, if the node can use the directory. */
  private static DiskLabel checked(
      Path path, LabelBytes.@Nullable Block block, int shards, Durability durability) {
    if (block == null) {
      throw failure(
          Reason.DAMAGED,
          "file %s of data directory %s is damaged: put it back, or move the directory aside and"
              + " start with an empty one; the node then gets its data from the others",
          LABEL,
          path);
    }
    DiskLabel label = block.label();
    if (label == null) {
      throw failure(
          Reason.OTHER_FORMAT,
          "data directory %s has format %d, and this release has format %d: start the node with"
              + " the release that wrote it, or with an empty directory",
          path,
          block.format(),
          LabelBytes.FORMAT);
    }
    if (label.shards() != shards) {
      throw failure(
          Reason.FOREIGN,
          "data directory %s is of a grid with %d shards, and this node is set to %d: correct the"
              + " setting, or name another directory",
          path,
          label.shards(),
          shards);
    }
    if (label.grid() != null && label.durability().compareTo(durability) > 0) {
      throw failure(
          Reason.FOREIGN,
          "data directory %s is of a grid with durability %s, and this node is set to %s:"
              + " durability can be raised only; correct the setting, or name another directory",
          path,
          label.durability(),
          durability);
    }
    if (label.storageMade() && !Files.isDirectory(path.resolve(ENGINE))) {
      throw failure(
          Reason.DAMAGED,
          "data directory %s lacks its directory %s: put it back, or move the directory aside and"
              + " start with an empty one; the node then gets its data from the others",
          path,
          ENGINE);
    }
    return label;
  }

  private static DiskId newDisk() {
    SecureRandom random = new SecureRandom();
    long id = 0;
    while (id == 0) {
      id = random.nextLong();
    }
    return new DiskId(id);
  }

  /** The directory's path, as it was given. */
  public Path path() {
    return path;
  }

  /** The directory that is the engine's own. It may not be there before the engine has made it. */
  public Path engine() {
    return path.resolve(ENGINE);
  }

  /** The directory of the write-ahead log. It may not be there before {@link #makeLog}. */
  public Path log() {
    return path.resolve(LOG);
  }

  /** Whether both blocks of the label were right when the directory was opened. */
  public boolean isLabelWhole() {
    return labelWhole;
  }

  /** The label as it is now. */
  public DiskLabel label() {
    return label;
  }

  /**
   * Removes what a beginning that was interrupted may have left of the engine and the log.
   *
   * @throws IllegalStateException they were made: there may be data in them
   * @throws StorageException it failed
   */
  public synchronized void removeStorage() {
    if (label.storageMade()) {
      throw new IllegalStateException("the storage has been made: " + path);
    }
    try {
      DirectoryFiles.remove(engine());
      DirectoryFiles.remove(log());
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * Makes the directory of the log.
   *
   * @throws StorageException it failed
   */
  public void makeLog() {
    try {
      DirectoryFiles.make(log());
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * The engine is there and forced, and a segment of the log has begun and is forced. Whenever the
   * directory is opened again, there must be this segment or a newer one.
   *
   * @param number of the segment, at least 1; one below the newest that is known changes nothing
   * @throws StorageException it failed
   */
  public synchronized void logBegan(long number) {
    if (number < 1) {
      throw new IllegalArgumentException("a segment's number must be >= 1: number=" + number);
    }
    if (number > label.newestLog()) {
      try {
        DirectoryFiles.force(log());
        replace(label.withNewestLog(number));
      } catch (IOException e) {
        throw DirectoryFiles.failure(path, e);
      }
    }
  }

  /**
   * The data is of this grid, and is stored as durably as the node is set to from now on.
   *
   * @throws StorageException the data is of another one, or it failed
   */
  public synchronized void joins(UUID grid) {
    UUID known = label.grid();
    if (known != null && !known.equals(grid)) {
      throw failure(
          Reason.FOREIGN,
          "data directory %s is of grid %s, and the node is about to join grid %s: name another"
              + " directory",
          path,
          known,
          grid);
    }
    if (known == null || label.durability() != durability) {
      write(label.withGrid(grid).withDurability(durability));
    }
  }

  /**
   * The node has left its grid for good, forced: whoever opens the directory next finds it empty.
   *
   * @throws StorageException it failed
   */
  public synchronized void hasLeft() {
    if (closed) {
      throw new IllegalStateException("data directory is closed: " + path);
    }
    try {
      DirectoryFiles.replace(path, LEFT, new byte[0]);
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * The text that was kept last on the members of the grid; empty: none was. A crash of the machine
   * may have taken the last one.
   *
   * @throws StorageException it cannot be read
   */
  public String members() {
    try {
      Path file = path.resolve(MEMBERS);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * Keeps a text on the members of the grid, which is not forced; does nothing after the close.
   *
   * @throws StorageException it failed
   */
  public synchronized void keepMembers(String text) {
    if (closed) {
      return;
    }
    try {
      DirectoryFiles.replaceUnforced(path, MEMBERS, text);
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * The words on lost disks that were kept last; empty: none were.
   *
   * @throws StorageException they cannot be read, or are damaged
   */
  public byte[] losses() {
    Path file = path.resolve(LOST);
    try {
      if (!Files.exists(file)) {
        return new byte[0];
      }
      byte[] content = SealedBytes.opened(Files.readAllBytes(file));
      if (content == null) {
        throw failure(
            Reason.DAMAGED,
            "file %s of data directory %s is damaged: move the directory aside and start with an"
                + " empty one; the node then gets its data from the others",
            LOST,
            path);
      }
      return content;
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  /**
   * Keeps words on lost disks in the place of those before; forced.
   *
   * @throws StorageException it failed
   */
  public synchronized void keepLosses(byte[] words) {
    if (closed) {
      throw new IllegalStateException("data directory is closed: " + path);
    }
    try {
      DirectoryFiles.replace(path, LOST, SealedBytes.sealed(words));
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  private void write(DiskLabel next) {
    try {
      replace(next);
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }

  private void replace(DiskLabel next) throws IOException {
    if (closed) {
      throw new IllegalStateException("data directory is closed: " + path);
    }
    DirectoryFiles.replace(path, LABEL, LabelBytes.encode(next));
    label = next;
  }

  private static StorageException failure(Reason reason, String format, Object... arguments) {
    return new StorageException(reason, DirectoryFiles.text(format, arguments), null);
  }

  /** Unlocks the directory; does nothing a second time. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      lock.close();
    } catch (IOException e) {
      throw DirectoryFiles.failure(path, e);
    }
  }
}
