package io.canopygrid.gmu.storage.directory;

import io.canopygrid.gmu.storage.StorageException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The room on the disk that a data directory is on. Thread-safe. */
public final class DirectoryRoom {
  /**
   * The greatest of the reserves that are kept where nothing else is said. It holds the engine's
   * log (256 MiB), its buffers (128 MiB), and what its largest merge writes before it drops what it
   * has read (25 files of 64 MiB).
   */
  private static final long RESERVE_MAX = 2L << 30;

  private static final int PART_OF_DISK = 10;

  private final FileStore disk;

  private DirectoryRoom(FileStore disk) {
    this.disk = disk;
  }

  /**
   * Of a directory, which need not be there yet.
   *
   * @throws StorageException it cannot be looked at
   */
  public static DirectoryRoom of(Path directory) {
    Path there = directory.toAbsolutePath();
    try {
      for (Path up = there; up != null && !Files.exists(there); up = up.getParent()) {
        there = up;
      }
      return new DirectoryRoom(Files.getFileStore(there));
    } catch (IOException e) {
      throw DirectoryFiles.failure(directory, e);
    }
  }

  /** The bytes that are left to this process; -1: the disk does not say. */
  public long free() {
    try {
      return disk.getUsableSpace();
    } catch (IOException e) {
      return -1;
    }
  }

  /** The bytes that it has; 0: the disk does not say. */
  public long total() {
    try {
      return disk.getTotalSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The bytes that are kept back where nothing else is said: 2 GiB, or a tenth of the disk. */
  public long reserve() {
    return Math.min(RESERVE_MAX, total() / PART_OF_DISK);
  }
}
