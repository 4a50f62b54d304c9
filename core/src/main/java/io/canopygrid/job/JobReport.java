package io.canopygrid.job;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;

/**
 * The progress of a long job, as the client that does it tells a server. Each report is whole, so
 * that any server can be told the next one.
 *
 * @param id tells the job from all others
 * @param name of the index that it changes; empty: it is about the whole grid
 * @param detail what it works with, such as the name of a file; may be empty
 * @param unit of the counts, in the plural
 * @param done how many are done
 * @param total how many there are; {@link #UNKNOWN}: nobody knows
 * @param tookMillis since it began
 * @param error why it has failed, for people; empty: it has not
 */
public record JobReport(
    String id,
    Kind kind,
    State state,
    String name,
    String detail,
    String unit,
    long done,
    long total,
    long tookMillis,
    String error) {
  /** The function that takes reports. No application can register such a name. */
  public static final String FUNCTION = "canopy.job";

  /** Stands for a total that nobody knows. */
  public static final long UNKNOWN = -1;

  /** The most characters of each text. */
  public static final int TEXT_MAX = 500;

  private static final int VERSION = 1;
  private static final int BYTES = 256;

  /** The kinds of jobs, in the order of their numbers in reports. */
  public enum Kind {
    /** Records of a file are put into an index. */
    LOAD,
    /** The entries of a table's index are made. */
    BUILD,
    /** The whole grid is backed up. */
    BACKUP,
    /** A grid, or a part of it, is filled from a backup. */
    RESTORE,
    /** A clone gets the entries that it shares with its parent; servers do that themselves. */
    FLATTEN,
    /** The entries of an index are written to a file. */
    EXPORT
  }

  /** The states of a job, in the order of their numbers in reports. */
  public enum State {
    /** Under way. */
    RUNNING,
    /** Ended as it was meant. */
    DONE,
    /** Ended by an error. */
    FAILED,
    /** Ended since somebody has cancelled it. */
    CANCELLED,
    /** Nothing was heard of it for long: the client is gone, or does not reach a server. */
    SILENT
  }

  /** The same in another state. */
  public JobReport in(State other) {
    return new JobReport(id, kind, other, name, detail, unit, done, total, tookMillis, error);
  }

  /** The arguments of {@link #FUNCTION}. */
  @SuppressWarnings("EnumOrdinal") // the order is the form
  public byte[] encode() {
    ByteWriter out = new ByteWriter(BYTES).writeByte(VERSION).writeText(id);
    out.writeByte(kind.ordinal()).writeByte(state.ordinal());
    out.writeText(name).writeText(detail).writeText(unit);
    out.writeVarLong(done).writeVarLong(total + 1).writeVarLong(tookMillis).writeText(error);
    return out.toBytes();
  }

  /**
   * The report in arguments.
   *
   * @throws MalformedBytesException where they are none
   */
  public static JobReport decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    if (in.readByte() != VERSION) {
      throw new MalformedBytesException("another version of reports");
    }
    String id = text(in);
    Kind kind = of(Kind.values(), in.readByte());
    State state = of(State.values(), in.readByte());
    String name = text(in);
    String detail = text(in);
    String unit = text(in);
    long done = count(in);
    long total = count(in) - 1;
    long tookMillis = count(in);
    JobReport report =
        new JobReport(id, kind, state, name, detail, unit, done, total, tookMillis, text(in));
    in.end();
    return report;
  }

  private static String text(ByteReader in) {
    String text = in.readText();
    if (text.length() > TEXT_MAX) {
      throw new MalformedBytesException("a text of a report is longer than " + TEXT_MAX);
    }
    return text;
  }

  private static long count(ByteReader in) {
    long count = in.readVarLong();
    if (count < 0) {
      throw new MalformedBytesException("a count of a report is below 0");
    }
    return count;
  }

  private static <E> E of(E[] all, int number) {
    if (number >= all.length) {
      throw new MalformedBytesException("a report of a later release");
    }
    return all[number];
  }
}
