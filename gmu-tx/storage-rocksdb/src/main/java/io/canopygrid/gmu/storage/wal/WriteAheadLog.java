package io.canopygrid.gmu.storage.wal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Appends records to a log, which goes on in another segment when one is full. A segment is forced
 * before the next one begins: whatever a crash takes is at the end of the newest one.
 *
 * <p>One thread at a time appends, and another one may force meanwhile. After a failure nothing may
 * be appended any more.
 */
public final class WriteAheadLog implements Closeable {
  private final Path directory;
  private final long disk;
  private final long segmentBytes;
  private final Listener listener;

  /** Held to force, and to put another segment in place of the one that may be forced. */
  private final ReentrantLock forcing = new ReentrantLock();

  private SegmentWriter segment;
  private long number;
  private long position;

  /** Hears of segments. */
  public interface Listener {
    /**
     * A segment is there, with its header, and is forced; its entry in the directory is not.
     *
     * @throws IOException the log can take nothing more
     */
    void begun(long number) throws IOException;

    /** A segment is full, and is forced: nothing is appended to it any more. */
    void ended(long number, Path path);
  }

  /**
   * Begins a segment.
   *
   * @param disk whose log it is
   * @param number of the segment, above those of all that there were
   * @param position of the last record before it
   * @param segmentBytes the length at which another one begins
   */
  public WriteAheadLog(
      Path directory, long disk, long number, long position, long segmentBytes, Listener listener)
      throws IOException {
    this.directory = directory;
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    this.listener = listener;
    this.number = number;
    this.position = position;
    segment = begin();
  }

  private SegmentWriter begin() throws IOException {
    SegmentHeader header = new SegmentHeader(disk, number, position, MachineRun.current());
    SegmentWriter begun = SegmentWriter.begin(LogFiles.of(directory, number), header);
    try {
      listener.begun(number);
      return begun;
    } catch (IOException | RuntimeException e) {
      begun.close();
      throw e;
    }
  }

  /** Whether the next record begins another segment: this one has reached its length. */
  public boolean isFull() {
    return segment.size() >= segmentBytes;
  }

  /**
   * Appends a record: it outlives the death of this process.
   *
   * @param at above the position of the record before
   */
  public void append(long at, ByteBuffer content) throws IOException {
    segment.append(at, content);
    position = at;
  }

  /** Ends the segment, and begins the next one. */
  public void next() throws IOException {
    forcing.lock();
    try (SegmentWriter full = segment) {
      full.force();
      listener.ended(number, LogFiles.of(directory, number));
      number++;
      segment = begin();
    } finally {
      forcing.unlock();
    }
  }

  /** Forces all that was appended before the call. */
  public void force() throws IOException {
    ForceEvent event = new ForceEvent();
    event.begin();
    forcing.lock();
    try {
      segment.force();
      event.ended(number, position);
    } finally {
      forcing.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    forcing.lock();
    try {
      segment.close();
    } finally {
      forcing.unlock();
    }
  }
}
