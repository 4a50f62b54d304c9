package io.canopygrid.server.endpoint.jobs;

import io.canopygrid.job.JobReport;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;

/**
 * A job as a server has heard of it.
 *
 * @param report the last one
 * @param node the server's, by its id
 * @param user of the client that does the job, and the client's address
 * @param startedMillis when it began, since 1970
 * @param isEnding whether somebody has cancelled it
 */
public record HeardJob(
    JobReport report, String node, String user, long startedMillis, boolean isEnding) {
  private static final int BYTES = 1_024;
  private static final int JOBS_MAX = 10_000;

  /** Whether it is under way. */
  public boolean isRunning() {
    return report.state() == JobReport.State.RUNNING;
  }

  /** Whether a user may know of it. */
  public boolean isShownTo(Access access) {
    return access.allows(Right.READ, report.name());
  }

  /** Whether a user may do such a job, and so end it. */
  public boolean isOf(Access access) {
    return access.allows(right(report.kind()), nameOf(report));
  }

  /** Checks {@link #isOf}. */
  public void checkIsOf(Access access) {
    check(report, access);
  }

  /** Checks that a client may do the job of which it tells. */
  static void check(JobReport report, Access access) {
    access.check(right(report.kind()), nameOf(report));
  }

  private static Right right(JobReport.Kind kind) {
    return switch (kind) {
      case LOAD, BUILD, FLATTEN, RESTORE -> Right.WRITE;
      case BACKUP -> Right.ADMIN; // it takes a named snapshot
      case EXPORT -> Right.READ;
    };
  }

  private static String nameOf(JobReport report) {
    return switch (report.kind()) {
      case LOAD, BUILD, FLATTEN, EXPORT -> report.name();
      case BACKUP, RESTORE -> "";
    };
  }

  static byte[] encode(List<HeardJob> jobs) {
    ByteWriter out = new ByteWriter(BYTES).writeVarLong(jobs.size());
    for (HeardJob job : jobs) {
      out.writeBytes(job.report.encode()).writeText(job.node).writeText(job.user);
      out.writeVarLong(job.startedMillis).writeByte(job.isEnding ? 1 : 0);
    }
    return out.toBytes();
  }

  /**
   * The jobs in the answer of a server.
   *
   * @throws MalformedBytesException where it is none
   */
  static List<HeardJob> decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    List<HeardJob> jobs = new ArrayList<>();
    for (int left = in.readCount(JOBS_MAX); left > 0; left--) {
      JobReport report = JobReport.decode(in.readBytes());
      String node = in.readText();
      String user = in.readText();
      long startedMillis = in.readVarLong();
      jobs.add(new HeardJob(report, node, user, startedMillis, in.readByte() == 1));
    }
    return jobs;
  }
}
