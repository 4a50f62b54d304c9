package io.canopygrid.gmu.storage.directory;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a data directory: a locked file, which the operating system unlocks when the process
 * ends in whatever way. The file has the id of the process that locked it last.
 */
final class DirectoryLock implements AutoCloseable {
  static final String FILE = "LOCK";

  /**
   * The directories that this process has locked, each under the path that the file system gives
   * it. A second look at a locked file would unlock it: POSIX gives up all locks of a process on a
   * file when it closes any channel to that file.
   */
  private static final Set<Path> OWN = new HashSet<>();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Locks a directory that exists.
   *
   * @throws StorageException it is locked already, by this process or by another one
   */
  static DirectoryLock of(Path path) throws IOException {
    Path directory = path.toRealPath();
    synchronized (OWN) {
      if (!OWN.add(directory)) {
        throw inUse(path, "this process");
      }
    }
    @Nullable FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              directory.resolve(FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      @Nullable FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUseByOther(path, directory);
      }
      String user = ProcessHandle.current().pid() + "\n";
      channel.truncate(0).write(ByteBuffer.wrap(user.getBytes(StandardCharsets.US_ASCII)), 0);
      return new DirectoryLock(directory, channel);
    } catch (IOException | RuntimeException e) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      forget(directory);
      throw e;
    }
  }

  /**
   * Looks whether a directory that exists is free, and makes nothing.
   *
   * @throws StorageException it is locked, by this process or by another one
   */
  static void checkFree(Path path) throws IOException {
    Path directory = path.toRealPath();
    Path file = directory.resolve(FILE);
    synchronized (OWN) {
      if (OWN.contains(directory)) {
        throw inUse(path, "this process");
      }
      if (!Files.exists(file)) {
        return;
      }
      // Two processes that look at the same time do not see each other: their locks are shared.
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
          @Nullable FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
        if (lock == null) {
          throw inUseByOther(path, directory);
        }
      }
    }
  }

  private static void forget(Path directory) {
    synchronized (OWN) {
      OWN.remove(directory);
    }
  }

  private static StorageException inUseByOther(Path path, Path directory) throws IOException {
    return inUse(path, "process " + Files.readString(directory.resolve(FILE)).strip());
  }

  private static StorageException inUse(Path path, String user) {
    return new StorageException(
        Reason.IN_USE,
        DirectoryFiles.text(
            "data directory %s is in use by %s: each node needs a directory of its own",
            path, user),
        null);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      forget(directory);
    }
  }
}
