package io.canopygrid.gmu.storage.wal;

import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;

/**
 * Reads all segments of a log that nobody writes to, the oldest first. A segment is forced before
 * the next one begins, so only the newest one may end within a record. Confined to one thread.
 */
public final class LogReplay {
  private final Path directory;
  private final long disk;
  private final long known;

  /**
   * For the log in a directory.
   *
   * @param disk whose log it is
   * @param known the number of a segment that there must be, or a newer one; 0: none
   */
  public LogReplay(Path directory, long disk, long known) {
    this.directory = directory;
    this.disk = disk;
    this.known = known;
  }

  /** Is handed each segment, to read its records to the end. */
  public interface Visitor<E extends Exception> {
    /**
     * Reads the records of a segment.
     *
     * @throws MalformedBytesException a record is none of those that were written
     */
    void read(SegmentReader segment) throws IOException, E;
  }

  /** The end of a log: its newest segment's number, and the position of its last record. */
  public record End(long number, long position) {}

  /**
   * Reads the log.
   *
   * @param have the position up to which the records' content is had already
   * @return its end
   * @throws LogDamage parts of it are missing, or were changed
   */
  public <E extends Exception> End run(long have, Visitor<E> visitor) throws IOException, E {
    SortedMap<Long, Path> segments = LogFiles.in(directory);
    long newest = segments.isEmpty() ? 0 : segments.lastKey();
    if (newest < known) {
      throw new LogDamage("segment " + known + " of the write-ahead log is missing");
    }
    long last = 0;
    long position = have;
    boolean isFirst = true;
    for (var each : segments.entrySet()) {
      long number = each.getKey();
      if (!isFirst && number != last + 1) {
        throw new LogDamage("segment " + (last + 1) + " of the write-ahead log is missing");
      }
      try (SegmentReader segment = SegmentReader.open(each.getValue(), disk)) {
        if (segment == null || segment.header().number() != number) {
          if (number > known && number == newest) {
            break; // it was about to begin
          }
          throw damaged(each.getValue(), "its header");
        }
        long before = segment.header().position();
        if (isFirst ? before > have : before != position) {
          throw new LogDamage("records before " + each.getValue().getFileName() + " are missing");
        }
        position = Math.max(position, before);
        visitor.read(segment);
        position = Math.max(position, checkEnd(segment, each.getValue(), number == newest, before));
      }
      last = number;
      isFirst = false;
    }
    return new End(last, position);
  }

  private static long checkEnd(SegmentReader segment, Path path, boolean isNewest, long before)
      throws IOException {
    if (!segment.isAtEnd() && (!isNewest || segment.isDamaged())) {
      throw damaged(path, "a record");
    }
    return segment.hasRead() ? segment.position() : before;
  }

  private static LogDamage damaged(Path path, String what) {
    return new LogDamage(what + " of the write-ahead log is damaged: " + path.getFileName());
  }

  /** Removes the segments up to one. */
  public void remove(long upTo) throws IOException {
    for (Path path : LogFiles.in(directory).headMap(upTo + 1).values()) {
      Files.delete(path);
    }
  }
}
