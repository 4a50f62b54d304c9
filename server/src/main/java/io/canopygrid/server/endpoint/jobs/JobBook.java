package io.canopygrid.server.endpoint.jobs;

import io.canopygrid.job.JobReport;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that one server has heard of of late, and those that somebody has cancelled: a client
 * hears of that as the answer to its next report, to whichever server. Thread-safe.
 */
final class JobBook {
  /** The most jobs that are known; of more the oldest ones are forgotten. */
  private static final int KNOWN_MAX = 1_000;

  /** A client tells of its job every second. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long ENDED_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final String node;
  private final LongSupplier nanoTime;
  private final LongSupplier wallMillis;

  // Guarded by this object.
  private final Map<String, Known> jobs = new LinkedHashMap<>();
  private final Map<String, String> cancelled = new LinkedHashMap<>();

  /**
   * The jobs that a server hears of from now on.
   *
   * @param wallMillis the time since 1970
   */
  JobBook(String node, LongSupplier nanoTime, LongSupplier wallMillis) {
    this.node = node;
    this.nanoTime = nanoTime;
    this.wallMillis = wallMillis;
  }

  private record Known(JobReport report, String user, long startedMillis, long heardNanos) {}

  /**
   * A client tells of its job.
   *
   * @param user of the client, and its address
   * @return who has cancelled the job; empty: nobody has
   */
  synchronized String hear(JobReport report, String user) {
    Known before = jobs.get(report.id());
    long startedMillis =
        before == null ? wallMillis.getAsLong() - report.tookMillis() : before.startedMillis;
    jobs.put(report.id(), new Known(report, user, startedMillis, nanoTime.getAsLong()));
    forgetOldest(jobs);
    return cancelled.getOrDefault(report.id(), "");
  }

  /** The user who has cancelled a job; null: nobody has. */
  synchronized @Nullable String cancelledBy(String id) {
    return cancelled.get(id);
  }

  /** Somebody cancels a job, which need not be known here. */
  synchronized void cancel(String id, String by) {
    cancelled.putIfAbsent(id, by);
    forgetOldest(cancelled);
  }

  /** The jobs that are under way, or have ended of late. */
  synchronized List<HeardJob> all() {
    long now = nanoTime.getAsLong();
    jobs.values().removeIf(known -> !isHeard(known, now) && now - known.heardNanos > ENDED_NANOS);
    List<HeardJob> all = new ArrayList<>();
    for (Known known : jobs.values()) {
      JobReport report =
          known.report.state() == JobReport.State.RUNNING && !isHeard(known, now)
              ? known.report.in(JobReport.State.SILENT)
              : known.report;
      boolean isEnding = cancelled.containsKey(report.id());
      all.add(new HeardJob(report, node, known.user, known.startedMillis, isEnding));
    }
    return all;
  }

  private static boolean isHeard(Known known, long now) {
    return known.report.state() == JobReport.State.RUNNING
        && now - known.heardNanos <= SILENT_NANOS;
  }

  private static void forgetOldest(Map<String, ?> known) {
    Iterator<String> oldest = known.keySet().iterator();
    while (known.size() > KNOWN_MAX) {
      oldest.next();
      oldest.remove();
    }
  }
}
