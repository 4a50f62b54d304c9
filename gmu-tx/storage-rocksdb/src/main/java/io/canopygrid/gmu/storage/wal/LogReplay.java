package io.canopygrid.gmu.storage.wal;

import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments of a log that nobody writes to, the oldest first. A segment is forced before
 * the next one begins, which says at which position it ended. So only the newest one may end early.
 * Confined to one thread.
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

  /**
   * The end of a log.
   *
   * @param number of its newest segment; 0: it has none
   * @param position of its last record
   * @param mayHaveStopped whether the machine may have stopped since the newest segment began: a
   *     power cut may have taken what was not forced
   */
  public record End(long number, long position, boolean mayHaveStopped) {}

  /**
   * Reads the log from the newest segment on before which nothing is missing. Older ones are not
   * needed, whatever they have: a power cut can bring segments back that were removed.
   *
   * @param have the position up to which the records' content is had already
   * @return its end
   * @throws LogDamage parts of it are missing, or were changed
   */
  public <E extends Exception> End run(long have, Visitor<E> visitor) throws IOException, E {
    SortedMap<Long, Path> segments = LogFiles.in(directory);
    long newest = segments.isEmpty() ? 0 : segments.lastKey();
    if (newest < known) {
      throw missing(known);
    }
    if (newest > known && headerOf(newest) == null) {
      newest--; // it was about to begin
    }
    if (newest == 0) {
      return new End(0, have, false);
    }
    long first = first(newest, have);
    long position = have;
    boolean mayHaveStopped = false;
    for (long number = first; number <= newest; number++) {
      Path path = LogFiles.of(directory, number);
      try (SegmentReader segment = SegmentReader.open(path, disk)) {
        if (segment == null || segment.header().number() != number) {
          throw damaged(path, "the header");
        }
        long before = segment.header().position();
        if (number > first && before != position) {
          throw new LogDamage("records before " + path.getFileName() + " are missing");
        }
        visitor.read(segment);
        if (number == newest && !segment.isAtEnd() && segment.isDamaged()) {
          throw damaged(path, "a record");
        }
        position = segment.position();
        mayHaveStopped = !MachineRun.isCurrent(segment.header().run());
      }
    }
    return new End(newest, Math.max(position, have), mayHaveStopped);
  }

  /** The newest segment before which nothing is that is not had; none behind it is missing. */
  private long first(long newest, long have) throws IOException {
    for (long number = newest; number > 0; number--) {
      if (!Files.exists(LogFiles.of(directory, number))) {
        throw missing(number);
      }
      SegmentHeader header = headerOf(number);
      if (header != null && header.position() <= have) {
        return number;
      }
    }
    throw missing(1);
  }

  /** The header of a segment that is there; null: it has none. */
  private @Nullable SegmentHeader headerOf(long number) throws IOException {
    try (SegmentReader segment = SegmentReader.open(LogFiles.of(directory, number), disk)) {
      return segment == null || segment.header().number() != number ? null : segment.header();
    }
  }

  private static LogDamage missing(long number) {
    return new LogDamage("segment " + number + " of the write-ahead log is missing");
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
