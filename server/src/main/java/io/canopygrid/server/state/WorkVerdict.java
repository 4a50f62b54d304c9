package io.canopygrid.server.state;

import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.RunningJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The things that take long in a grid, in words. */
public record WorkVerdict(Reply.Work work) {
  /** There is nothing to say, or nobody says it. */
  public static final WorkVerdict NONE = new WorkVerdict(new Reply.Work(List.of(), 0, ""));

  private static final int JOBS_NAMED_MAX = 3;
  private static final int PERCENT = 100;

  /**
   * The words for what a server has told.
   *
   * @param told empty: the server is of an older release
   */
  public static WorkVerdict of(Optional<Reply.Work> told) {
    return told.map(WorkVerdict::new).orElse(NONE);
  }

  /** One sentence; null: there is nothing to say. */
  public @Nullable String text() {
    List<String> parts = new ArrayList<>();
    if (!work.jobs().isEmpty()) {
      parts.add("under way: " + jobs());
    }
    if (work.heldMillis() > 0) {
      parts.add(
          "the horizon is held back by "
              + work.holder()
              + ", for "
              + inWords(Duration.ofMillis(work.heldMillis())));
    }
    return parts.isEmpty() ? null : String.join("; ", parts);
  }

  private String jobs() {
    List<String> words = new ArrayList<>();
    work.jobs().stream().limit(JOBS_NAMED_MAX).forEach(job -> words.add(words(job)));
    int left = work.jobs().size() - words.size();
    if (left > 0) {
      words.add(left + " more");
    }
    return String.join(", ", words);
  }

  private static String words(RunningJob job) {
    String of = job.name().isEmpty() ? "" : " of '" + job.name() + "'";
    String part =
        job.total() == 0
            ? ""
            : " (" + Math.min(PERCENT, job.done() * PERCENT / job.total()) + " %)";
    return job.kind() + of + part;
  }

  /** The same for programs. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("jobs", work.jobs().stream().map(WorkVerdict::fields).toList());
    fields.put("heldMillis", work.heldMillis());
    fields.put("holder", work.holder().isEmpty() ? null : work.holder());
    return fields;
  }

  private static Map<String, @Nullable Object> fields(RunningJob job) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("job", job.kind());
    fields.put("index", job.name().isEmpty() ? null : job.name());
    fields.put("moved", job.done());
    fields.put("entries", job.total() == 0 ? null : job.total());
    return fields;
  }

  /** A time in its largest unit. */
  public static String inWords(Duration time) {
    if (time.toMinutes() == 0) {
      return time.toSeconds() + " s";
    }
    if (time.toHours() == 0) {
      return time.toMinutes() + " min";
    }
    return time.toDays() == 0 ? time.toHours() + " h" : time.toDays() + " d";
  }
}
