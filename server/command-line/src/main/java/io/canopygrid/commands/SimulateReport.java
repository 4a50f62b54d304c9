package io.canopygrid.commands;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the result of many runs to a person, or to a program.
 *
 * @param done how many seeds were run
 * @param seconds how long that took
 * @param counters how often what happened, all runs together
 */
record SimulateReport(
    String layers,
    SimulationOptions options,
    long first,
    long done,
    double seconds,
    SortedMap<String, Long> counters) {
  /** Events told at the end of a failed run's trace, where no file was asked for. */
  private static final int EVENTS_TOLD = 250;

  private static final int PROBLEMS_TOLD = 5;

  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "seeds", String.format(Locale.ROOT, "%,d from %d on", done, first));
    line(text, "layer", layers);
    line(text, "faults", names(options));
    line(text, "reads", options.reads().toString());
    line(text, "work", SimulatedWork.names(options.work()));
    line(text, "grid", size(options));
    line(
        text,
        "time",
        String.format(Locale.ROOT, "%.1f s, %.1f seeds per second", seconds, done / seconds));
    counters.forEach(
        (what, times) -> line(text, "", String.format(Locale.ROOT, "%,d %s", times, what)));
    return text.substring(1);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append('\n').append(String.format(Locale.ROOT, "%-8s  %s", name, value));
  }

  /**
   * The text that reports a failure.
   *
   * @param told the smallest run that still fails, traced
   */
  String failure(SeedRuns.Failure failure, SimulationResult told, boolean elsewhere) {
    StringBuilder text = new StringBuilder();
    long seed = failure.result().seed();
    text.append("FAILED: seed ").append(seed).append(" of layer ").append(failure.layer());
    problems(text, failure.result());
    text.append("\n\nThe smallest run found that fails: ").append(size(told.options()));
    text.append(", faults ").append(names(told.options()));
    problems(text, told);
    text.append("\n\nAgain: ").append(command(failure.layer(), told));
    if (!elsewhere) {
      List<String> trace =
          told.trace().stream().filter(event -> !event.contains(": housekeeping")).toList();
      int from = Math.max(0, trace.size() - EVENTS_TOLD);
      text.append("\n\nIts last events (all ")
          .append(told.trace().size())
          .append(" of them: --trace FILE), by virtual time:");
      trace.subList(from, trace.size()).forEach(event -> text.append("\n  ").append(event));
    }
    return text.toString();
  }

  private static void problems(StringBuilder text, SimulationResult result) {
    List<String> failures = result.failures();
    for (String problem : failures.subList(0, Math.min(PROBLEMS_TOLD, failures.size()))) {
      text.append("\n  ").append(problem);
    }
    if (failures.size() > PROBLEMS_TOLD) {
      text.append("\n  and ").append(failures.size() - PROBLEMS_TOLD).append(" more");
    }
  }

  private static String command(SimulatedLayer layer, SimulationResult told) {
    SimulationOptions o = told.options();
    return String.format(
        Locale.ROOT,
        "canopy simulate --layer %s --seeds 1 --from %d --faults %s --reads %s --work %s --nodes %d --shards %d --owners %d --sessions %d --transactions %d",
        layer,
        told.seed(),
        names(o),
        o.reads(),
        SimulatedWork.names(o.work()),
        o.nodes(),
        o.shards(),
        o.owners(),
        o.sessions(),
        o.transactions());
  }

  private static String size(SimulationOptions o) {
    return String.format(
        Locale.ROOT,
        "%d nodes, %d shards, %d owners, %d clients with %d transactions each",
        o.nodes(),
        o.shards(),
        o.owners(),
        o.sessions(),
        o.transactions());
  }

  private static String names(SimulationOptions options) {
    return options.faults().isEmpty()
        ? "none"
        : options.faults().stream().map(SimulatedFault::label).collect(Collectors.joining(","));
  }

  /** The same for a program; both null: no run failed. */
  String json(SeedRuns.@Nullable Failure failure, @Nullable SimulationResult told) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("seeds", done);
      json.writeNumberField("from", first);
      json.writeStringField("layer", layers);
      json.writeStringField("faults", names(options));
      json.writeStringField("reads", options.reads().toString());
      json.writeStringField("work", SimulatedWork.names(options.work()));
      json.writeNumberField("seconds", seconds);
      json.writeNumberField("seeds_per_second", done / seconds);
      json.writeObjectFieldStart("counters");
      for (Map.Entry<String, Long> counter : counters.entrySet()) {
        json.writeNumberField(counter.getKey(), counter.getValue());
      }
      json.writeEndObject();
      json.writeBooleanField("failed", failure != null);
      if (failure != null && told != null) {
        json.writeNumberField("seed", failure.result().seed());
        json.writeStringField("failed_layer", failure.layer().toString());
        strings(json, "problems", failure.result().failures());
        json.writeStringField("again", command(failure.layer(), told));
        strings(json, "shrunk_problems", told.failures());
        strings(json, "shrunk_trace", told.trace());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("a string cannot be written to", e);
    }
    return text.toString();
  }

  private static void strings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
