package io.canopygrid.gmu.storage.engine;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.nio.file.Path;

/**
 * The disk of a node while the node has it open. Closing it closes both parts; so does closing the
 * storage.
 *
 * @param directory says whose data it is
 * @param storage the data
 */
public record OpenDisk(DataDirectory directory, Storage storage) implements AutoCloseable {
  /**
   * Opens a data directory, and makes one where there is none, with the engine on the class path.
   * Nothing stays open if this fails.
   *
   * @param shards the number of the grid's shards, at least 1
   * @param durability that the node is set to; {@link DataDirectory#joins} raises that of the
   *     directory to it
   * @throws StorageException it cannot be used; the message says why and what can be done. By
   *     {@code reason()}: the directory is open elsewhere; it cannot be made, read or written; it
   *     has something else in it, or data of another grid; its data has another release's format,
   *     or is damaged; the disk is full, or fails; there is no engine
   */
  public static OpenDisk open(Path path, int shards, Durability durability) {
    return open(StorageEngines.find(), path, shards, durability);
  }

  static OpenDisk open(StorageEngine engine, Path path, int shards, Durability durability) {
    DataDirectory directory = DataDirectory.open(path, shards, durability);
    try {
      return new OpenDisk(directory, engine.open(directory));
    } catch (LinkageError e) {
      directory.close();
      throw StorageEngines.notLoaded(e);
    }
  }

  /**
   * Looks whether a data directory could be opened. Makes and changes nothing, and does not look at
   * the data itself.
   *
   * @throws StorageException as {@link #open}
   */
  public static void check(Path path, int shards, Durability durability) {
    StorageEngines.find();
    DataDirectory.check(path, shards, durability);
  }

  /**
   * Reads all that is in a data directory that no node uses, checks it against its checksums and
   * the rules of what nodes store, and changes nothing. Nobody else can open it meanwhile.
   *
   * @return also where nothing can be read for damage
   * @throws StorageException it cannot be looked at: it is open elsewhere, is no data directory, or
   *     is of another release; or reading fails
   */
  public static DiskReport verify(Path path) {
    StorageEngine engine = StorageEngines.find();
    try (DataDirectory directory = DataDirectory.openToLook(path)) {
      DiskReport report = engine.verify(directory);
      return directory.isLabelWhole()
          ? report
          : report.with("one of the two blocks of file CANOPY is damaged; the next start mends it");
    } catch (StorageException e) {
      if (e.reason() != Reason.DAMAGED) {
        throw e;
      }
      return DiskReport.unreadable(String.valueOf(e.getMessage()));
    } catch (LinkageError e) {
      throw StorageEngines.notLoaded(e);
    }
  }

  @Override
  public void close() {
    storage.close();
  }
}
