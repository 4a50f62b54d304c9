package io.canopygrid.gmu.storage.wal;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Appends records to a new segment. One thread at a time appends, and another one may force
 * meanwhile; who closes it waits for both.
 *
 * <p>It writes through a file of the kind that an interrupt of a thread does not close: a caller of
 * a transaction may be interrupted while it writes.
 */
final class SegmentWriter implements Closeable {
  private final RandomAccessFile file;
  private final RecordFrame frame;

  /** The length of the file. */
  private volatile long size = SegmentHeader.BYTES;

  /** Up to here all was forced. */
  private volatile long forced = SegmentHeader.BYTES;

  private SegmentWriter(RandomAccessFile file, RecordFrame frame) {
    this.file = file;
    this.frame = frame;
  }

  /** Makes the file, with its header, and forces that; the directory's entry is not forced. */
  static SegmentWriter begin(Path path, SegmentHeader header) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      file.setLength(0); // what a beginning that was interrupted has left
      file.write(header.toBytes());
      file.getFD().sync();
      return new SegmentWriter(file, new RecordFrame(header));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Hands a record to the operating system. */
  void append(long position, ByteBuffer content) throws IOException {
    int length = frame.fill(content, forced, position);
    file.write(frame.array(), frame.begin(), length);
    long longer = size + length;
    size = longer;
  }

  long size() {
    return size;
  }

  /** Forces all that was appended before the call. */
  void force() throws IOException {
    long upTo = size;
    if (upTo > forced) {
      file.getFD().sync();
      forced = upTo;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
