package io.canopygrid.roundtrip;

import static io.canopygrid.roundtrip.Result.decimals;

import io.canopygrid.server.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Results for people: a row for each layer, medians of the rounds. */
final class RoundTripTable {
  /** The most that a look-up may take, in round trips of JGroups. */
  static final double RATIO_WANTED = 1.5;

  private final List<Result> results;

  /** Creates a table of all layers in as many rounds, at least one. */
  RoundTripTable(List<Result> results) {
    this.results = List.copyOf(results);
  }

  /** The table, and whether a look-up takes as little as is wanted. */
  List<String> lines() {
    TextTable table =
        new TextTable(
            List.of(
                "layer",
                "p50 µs",
                "(rounds)",
                "p99 µs",
                "cpu µs",
                "times jgroups",
                "above",
                "adds µs",
                "of look-up",
                "remote/tx"));
    for (NetworkLayer layer : NetworkLayer.values()) {
      table.add(row(layer));
    }
    List<String> lines = new ArrayList<>(table.lines());
    Result last = results.get(results.size() - 1);
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "questions of %d bytes, answers of %d; load average %s",
            last.sizes().question(),
            last.sizes().answer(),
            decimals(2, last.systemLoad())));
    double ratio = ratioToJgroups(NetworkLayer.LOOKUP);
    lines.add(
        String.format(
            Locale.ROOT,
            "a look-up takes %s times JGroups' round trip; wanted at most %s: %s",
            decimals(2, ratio),
            decimals(1, RATIO_WANTED),
            ratio <= RATIO_WANTED ? "met" : "not met"));
    return lines;
  }

  private List<String> row(NetworkLayer layer) {
    double p50 = p50(layer);
    NetworkLayer below = layer.below();
    double added = p50 - (below == null ? 0 : p50(below));
    return List.of(
        layer.toString(),
        decimals(1, p50),
        String.format(
            Locale.ROOT,
            "%s to %s",
            decimals(1, sorted(layer, Result::p50Micros).get(0)),
            decimals(1, last(sorted(layer, Result::p50Micros)))),
        decimals(1, median(layer, Result::p99Micros)),
        decimals(1, median(layer, Result::cpuMicros)),
        decimals(2, ratioToJgroups(layer)),
        below == null ? "" : below.toString(),
        decimals(1, added),
        NetworkLayer.LOOKUP.contains(layer)
            ? decimals(0, 100 * added / p50(NetworkLayer.LOOKUP)) + " %"
            : "",
        layer.isCounted() ? decimals(3, median(layer, Result::remoteRequestsPerQuestion)) : "");
  }

  private double p50(NetworkLayer layer) {
    return median(layer, Result::p50Micros);
  }

  /** The median of the rounds' ratios: what the machine did in one round, both layers met. */
  double ratioToJgroups(NetworkLayer layer) {
    return median(
        layer,
        result -> {
          Result jgroups = find(NetworkLayer.JGROUPS, result.round());
          return jgroups == null ? Double.NaN : result.p50Micros() / jgroups.p50Micros();
        });
  }

  private @Nullable Result find(NetworkLayer layer, int round) {
    return results.stream()
        .filter(result -> result.layer() == layer && result.round() == round)
        .findFirst()
        .orElse(null);
  }

  private double median(NetworkLayer layer, ToDoubleFunction<Result> value) {
    List<Double> sorted = sorted(layer, value);
    return sorted.get(sorted.size() / 2);
  }

  private List<Double> sorted(NetworkLayer layer, ToDoubleFunction<Result> value) {
    return results.stream()
        .filter(result -> result.layer() == layer)
        .mapToDouble(value)
        .sorted()
        .boxed()
        .toList();
  }

  private static double last(List<Double> sorted) {
    return sorted.get(sorted.size() - 1);
  }
}
