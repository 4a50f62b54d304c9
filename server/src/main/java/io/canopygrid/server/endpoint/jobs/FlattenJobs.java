package io.canopygrid.server.endpoint.jobs;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The flattening of clones as jobs. A client asks for one step after the other, so the server that
 * makes them knows how far it is, and ends the job with the next step. Thread-safe.
 */
public final class FlattenJobs {
  /** A client that does not ask for so long has gone, and another one begins anew. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final JobBook book;
  private final LongSupplier nanoTime;

  /** By the names of the clones; guarded by this object. */
  private final Map<String, Course> courses = new HashMap<>();

  FlattenJobs(JobBook book, LongSupplier nanoTime) {
    this.book = book;
    this.nanoTime = nanoTime;
  }

  /** A job under way. */
  private record Course(String id, long copied, long beganNanos, long heardNanos) {}

  /**
   * Makes a step.
   *
   * @param clone the name of the clone
   * @param client the user and address
   * @throws CanopyException {@link ErrorCode#INTERRUPTED} where somebody has cancelled the job; or
   *     that of the step
   */
  public FlattenStep step(String clone, String client, Supplier<FlattenStep> step) {
    Course before = course(clone);
    String by = before == null ? null : book.cancelledBy(before.id());
    if (before != null && by != null) {
      end(clone);
      CanopyException cancelled = JobTeller.cancelled(by);
      String why = String.valueOf(cancelled.getMessage());
      book.hear(report(before, clone, JobReport.State.CANCELLED, why), client);
      throw cancelled;
    }
    long beganNanos = before == null ? nanoTime.getAsLong() : before.beganNanos();
    FlattenStep made = step.get();
    if (before == null && made.isLast() && made.copied() == 0) {
      return made; // the index was no clone
    }
    String id = before == null ? UUID.randomUUID().toString() : before.id();
    long copied = made.copied() + (before == null ? 0 : before.copied());
    Course now = new Course(id, copied, beganNanos, nanoTime.getAsLong());
    if (made.isLast()) {
      end(clone);
    } else {
      put(clone, now);
    }
    JobReport.State state = made.isLast() ? JobReport.State.DONE : JobReport.State.RUNNING;
    book.hear(report(now, clone, state, ""), client);
    return made;
  }

  private JobReport report(Course course, String clone, JobReport.State state, String error) {
    long tookNanos = nanoTime.getAsLong() - course.beganNanos();
    return new JobReport(
        course.id(),
        JobReport.Kind.FLATTEN,
        state,
        clone,
        "",
        "entries",
        course.copied(),
        JobReport.UNKNOWN,
        TimeUnit.NANOSECONDS.toMillis(tookNanos),
        error);
  }

  private synchronized @Nullable Course course(String clone) {
    long now = nanoTime.getAsLong();
    courses.values().removeIf(course -> now - course.heardNanos() > SILENT_NANOS);
    return courses.get(clone);
  }

  private synchronized void put(String clone, Course course) {
    courses.put(clone, course);
  }

  private synchronized void end(String clone) {
    courses.remove(clone);
  }
}
