package io.canopygrid.gmu.storage.wal;

import io.canopygrid.wire.MalformedBytesException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a segment in their order. An interrupt of the thread does not disturb it.
 * Confined to one thread.
 */
public final class SegmentReader implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final InputStream in;
  private final SegmentHeader header;
  private final RecordFrame frame;
  private final long size;

  /** The end of the last whole record. */
  private long end = SegmentHeader.BYTES;

  /** Of the last whole record; of the header's before there was one. */
  private long position;

  private SegmentReader(Path path, InputStream in, SegmentHeader header, long size) {
    this.path = path;
    this.in = in;
    this.header = header;
    this.frame = new RecordFrame(header);
    this.size = size;
    this.position = header.position();
  }

  /**
   * Opens a segment.
   *
   * @param disk whose segment it must be
   * @return null: it has no header of that disk
   * @throws MalformedBytesException it was written by another release
   */
  public static @Nullable SegmentReader open(Path path, long disk) throws IOException {
    InputStream in = new BufferedInputStream(new FileInputStream(path.toFile()), BUFFER);
    try {
      byte[] first = in.readNBytes(SegmentHeader.BYTES);
      SegmentHeader header = first.length < SegmentHeader.BYTES ? null : SegmentHeader.of(first);
      if (header != null && header.disk() == disk) {
        return new SegmentReader(path, in, header, Files.size(path));
      }
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
    in.close();
    return null;
  }

  SegmentHeader header() {
    return header;
  }

  /**
   * Reads the next record.
   *
   * @return false: no whole record comes next
   */
  public boolean next() throws IOException {
    byte[] array = frame.array();
    if (size - end < RecordFrame.AROUND
        || in.readNBytes(array, frame.begin(), RecordFrame.BEFORE) < RecordFrame.BEFORE) {
      return false;
    }
    int length = frame.length();
    if (length < 0 || length > size - end - RecordFrame.AROUND) {
      return false;
    }
    frame.reserve(length);
    int from = frame.begin() + RecordFrame.BEFORE;
    int rest = length + Integer.BYTES;
    if (in.readNBytes(frame.array(), from, rest) < rest || !frame.isWhole(length)) {
      return false;
    }
    end += RecordFrame.AROUND + length;
    position = frame.position();
    return true;
  }

  /** The position of the whole record that was read last; at first of the last one before. */
  public long position() {
    return position;
  }

  /**
   * The content of the record that was read last, with a backing array. It is not to be kept, and
   * not to be read once {@link #next} has returned false.
   */
  public ByteBuffer content() {
    return frame.content(frame.length());
  }

  /** Whether all of the file is whole records, once {@link #next} has returned false. */
  boolean isAtEnd() {
    return end == size;
  }

  /**
   * Whether a power cut cannot have torn what is behind the last whole record: another record
   * behind it says that the place was forced when it was written; or there is any, and the machine
   * has not stopped since. Records are looked for at each place.
   */
  boolean isDamaged() throws IOException {
    long torn = MachineRun.isCurrent(header.run()) ? -1 : end;
    byte[] rest;
    try (InputStream again = new FileInputStream(path.toFile())) {
      again.skipNBytes(end);
      rest = again.readAllBytes();
    }
    ByteBuffer bytes = ByteBuffer.wrap(rest);
    RecordFrame behind = new RecordFrame(header);
    for (int at = 1; at <= rest.length - RecordFrame.AROUND; at++) {
      int length = bytes.getInt(at);
      if (length >= 0
          && length <= rest.length - at - RecordFrame.AROUND
          && isWhole(behind, rest, at, length)
          && behind.forced() > torn) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWhole(RecordFrame frame, byte[] bytes, int at, int length) {
    frame.reserve(length);
    System.arraycopy(bytes, at, frame.array(), frame.begin(), RecordFrame.AROUND + length);
    return frame.isWhole(length);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
