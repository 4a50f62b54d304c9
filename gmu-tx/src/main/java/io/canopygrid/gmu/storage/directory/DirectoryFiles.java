package io.canopygrid.gmu.storage.directory;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes and removes files so that they are still there, or gone, after a power cut. */
final class DirectoryFiles {
  /** A file system with less room than this counts as full. */
  private static final long ROOM_MIN = 64 << 10;

  private DirectoryFiles() {}

  /** Makes a directory and those above it. */
  static void make(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      make(parent);
    }
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
    if (parent != null) {
      force(parent);
    }
  }

  /**
   * Whether a directory is there. Then it can be read and written, else it can be made.
   *
   * @throws IOException the user has no rights for that, or there is something else
   */
  static boolean isThere(Path directory) throws IOException {
    Path all = directory.toAbsolutePath();
    Path nearest = all;
    while (!Files.exists(nearest, LinkOption.NOFOLLOW_LINKS) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    if (!Files.isDirectory(nearest)) {
      throw new NotDirectoryException(nearest.toString());
    }
    boolean isThere = nearest.equals(all);
    if (!Files.isWritable(nearest)
        || !Files.isExecutable(nearest)
        || (isThere && !Files.isReadable(nearest))) {
      throw new AccessDeniedException(nearest.toString());
    }
    return isThere;
  }

  /** Puts a file of a directory into its place, whole or not at all. */
  static void replace(Path directory, String name, byte[] content) throws IOException {
    Path next = directory.resolve(name + ".new");
    try (FileChannel out =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(
        next,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    force(directory);
  }

  /** The same, but a crash of the machine may leave the old file, or an empty one. */
  static void replaceUnforced(Path directory, String name, String content) throws IOException {
    Path next = directory.resolve(name + ".new");
    Files.writeString(next, content);
    Files.move(
        next,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Forces the entries of a directory: without it a file that was forced can lack its name. */
  static void force(Path directory) throws IOException {
    if (File.separatorChar == '\\') {
      return; // Windows opens no directories, and forces their entries itself.
    }
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  /** Removes a directory and all that is in it, if it is there. */
  static void remove(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(directory)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  /** Removes an entry of a directory, with all that is in it; it is gone after a power cut, too. */
  static void removeForced(Path directory, String name) throws IOException {
    remove(directory.resolve(name));
    force(directory);
  }

  /** The failure of a use of the directory, as a reason. */
  static StorageException failure(Path directory, IOException e) {
    if (isFull(directory)) {
      return new StorageException(
          Reason.FULL,
          text(
              "the disk of data directory %s is full: free or add room, then start the node again",
              directory),
          e);
    }
    boolean isDenied = e instanceof FileSystemException;
    return isDenied
        ? new StorageException(
            Reason.NOT_ACCESSIBLE,
            text(
                "data directory %s cannot be made, read or written (%s):"
                    + " check the path, and the rights of the user that the node runs as",
                directory, e),
            e)
        : new StorageException(
            Reason.FAILED, text("data directory %s failed (%s): check the disk", directory, e), e);
  }

  private static boolean isFull(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace() < ROOM_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of its own
  static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
