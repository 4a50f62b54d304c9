package io.canopygrid.server.export;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A file under a name of its own, {@code FILE.part}, until it is whole. So nothing that is half
 * written ever has the file's name, also after a power cut. A lock keeps a second export away.
 * Confined to one thread.
 */
final class PartFile implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final Path part;
  private final boolean replaces;
  private final FileChannel channel;
  private final CRC32C checksum = new CRC32C();
  private final OutputStream stream = new Counted();
  private long bytes;
  private boolean marked;

  private PartFile(Path file, boolean replaces) throws IOException {
    this.file = file;
    this.part = file.resolveSibling(file.getFileName() + ".part");
    this.replaces = replaces;
    checkReplaces();
    this.channel =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /**
   * Begins anew.
   *
   * @param replaces whether a file that is there is replaced by the whole one
   * @throws FileAlreadyExistsException where there is one, and it may not be replaced
   */
  static PartFile begin(Path file, boolean replaces) throws IOException {
    PartFile begun = new PartFile(file, replaces);
    try {
      begun.lock();
      ExportMark.remove(file);
      begun.channel.truncate(0);
      return begun;
    } catch (IOException | RuntimeException e) {
      begun.close();
      throw e;
    }
  }

  /**
   * Goes on behind what a mark tells of.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: these bytes are not there
   */
  static PartFile resume(Path file, boolean replaces, ExportMark mark) throws IOException {
    PartFile begun = new PartFile(file, replaces);
    try {
      begun.lock();
      begun.skip(mark);
      return begun;
    } catch (IOException | RuntimeException e) {
      begun.close();
      throw e;
    }
  }

  private void checkReplaces() throws IOException {
    if (!replaces && Files.exists(file)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "it is there already: give --replace");
    }
  }

  /** Another export may have made the part whole between the opening and the lock. */
  private void lock() throws IOException {
    boolean alone;
    try {
      alone = channel.tryLock() != null && Files.exists(part);
    } catch (OverlappingFileLockException e) {
      alone = false;
    }
    if (!alone) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "another export is writing " + part + " now");
    }
  }

  private void skip(ExportMark mark) throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    byte[] block = new byte[BUFFER];
    while (bytes < mark.bytes()) {
      int read = in.read(block, 0, (int) Math.min(block.length, mark.bytes() - bytes));
      if (read < 0) {
        break;
      }
      checksum.update(block, 0, read);
      bytes += read;
    }
    if (bytes < mark.bytes() || checksum.getValue() != mark.checksum()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          part + " has not what was written: begin anew, without --resume");
    }
    channel.truncate(bytes);
    channel.position(bytes);
    marked = true;
  }

  /** Where to write. */
  OutputStream stream() {
    return stream;
  }

  /** The number of bytes. */
  long bytes() {
    return bytes;
  }

  /** Notes how far the export has come, when that is on the disk. */
  void mark(String what, ExportMark.Position at) throws IOException {
    channel.force(true);
    new ExportMark(what, at, bytes, checksum.getValue()).write(file);
    marked = true;
  }

  /** Gives the file its name, which is whole and on the disk. */
  void complete() throws IOException {
    channel.force(true);
    checkReplaces();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    ExportMark.remove(file);
    forceDirectory();
  }

  /** Puts the name on the disk, where the system lets a directory be opened. */
  private void forceDirectory() {
    Path directory = file.toAbsolutePath().getParent();
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // Windows cannot, and does so by itself.
    }
  }

  /** Removes what is not whole, unless there is a mark, so that it can be gone on with. */
  void discard() throws IOException {
    if (!marked) {
      Files.deleteIfExists(part);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Counts the bytes that are written. */
  private final class Counted extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(from, offset, length);
      while (rest.hasRemaining()) {
        if (channel.write(rest) == 0) {
          throw new EOFException(part + " takes no more");
        }
      }
      checksum.update(from, offset, length);
      bytes += length;
    }
  }
}
