package io.canopygrid.server.backup.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Blobs as files of a directory. A file is written under another name, which begins with a dot,
 * forced, and renamed; then its directory is forced.
 */
final class DirectoryStore implements BlobStore {
  private static final char HIDDEN = '.';

  private final Path directory;
  private final String part = ".part-" + ProcessHandle.current().pid() + "-";
  private final AtomicLong parts = new AtomicLong();

  DirectoryStore(Path directory) {
    this.directory = directory;
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  @Override
  public void put(String name, byte[] content) throws IOException {
    Path whole = write(name, content);
    Files.move(
        whole, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(name);
  }

  @Override
  public boolean putIfAbsent(String name, byte[] content) throws IOException {
    if (Files.exists(file(name))) {
      return false;
    }
    Path whole = write(name, content);
    try {
      Files.createLink(file(name), whole);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // A file system without links: two at the same moment may both succeed there.
      return moved(whole, file(name));
    } finally {
      Files.deleteIfExists(whole);
    }
    forceDirectory(name);
    return true;
  }

  private static boolean moved(Path from, Path to) throws IOException {
    try {
      Files.move(from, to);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** A file under another name, whose content is on the disk. */
  private Path write(String name, byte[] content) throws IOException {
    Path file = file(name);
    Files.createDirectories(above(name).get(0));
    Path whole = file.resolveSibling(part + parts.incrementAndGet());
    try (FileChannel channel =
        FileChannel.open(whole, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(whole);
      throw e;
    }
    return whole;
  }

  /** Puts a new name on the disk, where the system lets a directory be opened. */
  private void forceDirectory(String name) {
    for (Path at : above(name)) {
      force(at);
    }
    force(directory);
  }

  private static void force(Path folder) {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // Windows cannot, and does so by itself.
    }
  }

  /** The directories of a blob below the store's own, the innermost one first. */
  private List<Path> above(String name) {
    List<Path> above = new ArrayList<>();
    for (int end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      above.add(file(name.substring(0, end)));
    }
    return above;
  }

  @Override
  public byte[] get(String name) throws IOException {
    return Files.readAllBytes(file(name));
  }

  @Override
  public List<String> list(String folder) throws IOException {
    Path from = file(folder);
    if (!Files.isDirectory(from)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(from)) {
      return files
          .filter(file -> isShown(file) && Files.isRegularFile(file))
          .map(file -> directory.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isShown(Path file) {
    return file.getFileName().toString().charAt(0) != HIDDEN;
  }

  @Override
  public List<String> folders() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> isShown(file) && Files.isDirectory(file))
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  /** Directories without blobs go, too, with what an interrupted write has left in them. */
  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(file(name));
    for (Path at : above(name)) {
      List<Path> left;
      try (Stream<Path> files = Files.list(at)) {
        left = files.toList();
      } catch (NoSuchFileException e) {
        continue;
      }
      if (left.stream().anyMatch(DirectoryStore::isShown)) {
        return;
      }
      for (Path unfinished : left) {
        Files.deleteIfExists(unfinished);
      }
      Files.deleteIfExists(at);
    }
  }

  @Override
  public String describe() {
    return directory.toString();
  }

  @Override
  public void close() {
    // Files are open only while they are written or read.
  }
}
