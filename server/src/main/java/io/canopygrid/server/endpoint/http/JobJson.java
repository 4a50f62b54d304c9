package io.canopygrid.server.endpoint.http;

import io.canopygrid.StructureChange;
import io.canopygrid.job.JobReport;
import io.canopygrid.server.codec.SeparatorText;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.jobs.HeardJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs of all kinds as objects of JSON with the same fields. */
final class JobJson {
  private static final double MILLIS = 1_000;

  private JobJson() {}

  /** A change of structure, which a node makes by itself or was asked for. */
  static Map<String, @Nullable Object> of(StructureChange change, String index, ValueJson keys) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("id", null);
    fields.put("job", lower(change.kind()));
    fields.put("index", index);
    fields.put("from", SeparatorText.of(change.from(), keys.texts()));
    fields.put("detail", null);
    fields.put("reason", lower(change.reason()));
    fields.put("state", lower(change.state()));
    fields.put("error", null);
    fields.put("by", change.by());
    fields.put("user", null);
    fields.put("to", orNull(change.target()));
    fields.put("moved", change.moved());
    fields.put("entries", Math.max(change.entries(), change.moved()));
    fields.put("unit", "entries");
    fields.put("perSecond", perSecond(change.moved(), change.tookMillis()));
    fields.put("started", Instant.ofEpochMilli(change.startedMillis()).toString());
    fields.put("millis", change.tookMillis());
    fields.put("etaMillis", change.etaMillis());
    fields.put("cancellable", false);
    return fields;
  }

  /** A long job of a client, as somebody sees it. */
  static Map<String, @Nullable Object> of(HeardJob job, Access viewer) {
    JobReport report = job.report();
    Long total = report.total() == JobReport.UNKNOWN ? null : report.total();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("id", report.id());
    fields.put("job", lower(report.kind()));
    fields.put("index", orNull(report.name()));
    fields.put("from", null);
    fields.put("detail", orNull(report.detail()));
    fields.put("reason", "asked");
    fields.put("state", job.isRunning() && job.isEnding() ? "cancelling" : lower(report.state()));
    fields.put("error", orNull(report.error()));
    fields.put("by", job.node());
    fields.put("user", job.user());
    fields.put("to", null);
    fields.put("moved", report.done());
    fields.put("entries", total);
    fields.put("unit", report.unit());
    fields.put("perSecond", perSecond(report.done(), report.tookMillis()));
    fields.put("started", Instant.ofEpochMilli(job.startedMillis()).toString());
    fields.put("millis", report.tookMillis());
    fields.put("etaMillis", job.isRunning() ? etaMillis(report) : 0);
    fields.put("cancellable", job.isRunning() && !job.isEnding() && job.isOf(viewer));
    return fields;
  }

  /** As long as the rest takes at the rate so far; 0: nobody knows. */
  private static long etaMillis(JobReport report) {
    long left = report.total() - report.done();
    return left <= 0 || report.done() == 0
        ? 0
        : Math.round((double) report.tookMillis() * left / report.done());
  }

  private static double perSecond(long done, long millis) {
    return millis == 0 ? 0 : Math.round(done * MILLIS * 10 / millis) / 10.0;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
