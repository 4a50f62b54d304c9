package io.canopygrid.ycsb.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads results from a file that has the output of {@code bench micro}, {@code bench ycsb} or
 * {@code bench roundtrip} with {@code --output json}.
 */
final class SampleFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SampleFile() {}

  /**
   * The samples of a file, by the name of what was measured.
   *
   * @throws BenchFailure that says what is wrong with the file
   */
  static Map<String, Sample> read(Path file) throws BenchFailure {
    List<JsonNode> results = results(file);
    if (results.isEmpty()) {
      throw new BenchFailure(file + " has no results");
    }
    try {
      if (results.get(0).has("benchmark")) {
        return micro(results);
      }
      return results.get(0).has("layer") ? roundTrips(results) : ycsb(results);
    } catch (WrongResultException e) {
      throw new BenchFailure(file + ": " + e.getMessage(), e);
    }
  }

  /** The objects of a file, which are in one array, as JMH writes them, or follow each other. */
  private static List<JsonNode> results(Path file) throws BenchFailure {
    if (!Files.isRegularFile(file)) {
      throw new BenchFailure("there is no file " + file);
    }
    try (MappingIterator<JsonNode> parsed =
        JSON.readerFor(JsonNode.class).readValues(file.toFile())) {
      return parsed.readAll();
    } catch (JsonProcessingException e) {
      throw new BenchFailure(
          file
              + " is no JSON (line "
              + (e.getLocation() == null ? "?" : e.getLocation().getLineNr())
              + "): it must be what bench micro, ycsb or roundtrip printed with --output json",
          e);
    } catch (IOException e) {
      throw new BenchFailure(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** JMH's results. */
  private static Map<String, Sample> micro(List<JsonNode> results) throws WrongResultException {
    Map<String, Sample> samples = new TreeMap<>();
    for (JsonNode result : results) {
      String[] parts = text(result, "benchmark").split("\\.", -1);
      StringBuilder name = new StringBuilder(parts[parts.length - 1]);
      if (parts.length > 1) {
        name.insert(0, parts[parts.length - 2] + ".");
      }
      result
          .path("params")
          .properties()
          .forEach(param ->
              name.append(' ')
                  .append(param.getKey())
                  .append('=')
                  .append(param.getValue().asText()));
      JsonNode metric = result.path("primaryMetric");
      samples.put(
          name.toString(),
          sample(
              name.toString(),
              text(metric, "scoreUnit"),
              text(result, "mode").equals("thrpt"),
              values(metric.path("rawData")),
              "forks"));
    }
    return samples;
  }

  /**
   * The means of the forks, since the iterations within a fork are not independent. If there are
   * fewer forks than a sample needs, the iterations are the sample.
   */
  private static double[] values(JsonNode forks) {
    List<Double> means = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    for (JsonNode fork : forks) {
      List<Double> iterations = new ArrayList<>();
      fork.forEach(value -> iterations.add(value.asDouble()));
      all.addAll(iterations);
      means.add(iterations.stream().mapToDouble(d -> d).average().orElse(Double.NaN));
    }
    List<Double> chosen = means.size() >= Sample.VALUES_MIN ? means : all;
    return chosen.stream().mapToDouble(d -> d).toArray();
  }

  /** Adds a result of YCSB; results of one workload and number of threads are its rounds. */
  private static Map<String, Sample> ycsb(List<JsonNode> lines) throws WrongResultException {
    Map<String, Sample> samples = new TreeMap<>();
    Map<String, List<JsonNode>> rounds = new TreeMap<>();
    for (JsonNode line : lines) {
      String name = text(line, "workload") + "/" + text(line, "threads");
      rounds.computeIfAbsent(name, any -> new ArrayList<>()).add(line);
    }
    for (Map.Entry<String, List<JsonNode>> workload : rounds.entrySet()) {
      String name = workload.getKey();
      List<JsonNode> results = workload.getValue();
      samples.put(name + " ops_s", rounds(name, results, "ops_s", "ops/s", true));
      samples.put(name + " cpu_us", rounds(name, results, "cpu_us", "µs/op", false));
    }
    return samples;
  }

  /** Adds a result of round trips; results of one layer are its rounds. */
  private static Map<String, Sample> roundTrips(List<JsonNode> lines) throws WrongResultException {
    Map<String, Sample> samples = new TreeMap<>();
    Map<String, List<JsonNode>> rounds = new TreeMap<>();
    for (JsonNode line : lines) {
      rounds.computeIfAbsent(text(line, "layer"), any -> new ArrayList<>()).add(line);
    }
    for (Map.Entry<String, List<JsonNode>> layer : rounds.entrySet()) {
      String name = layer.getKey();
      List<JsonNode> results = layer.getValue();
      samples.put(name + " p50_us", rounds(name, results, "p50_us", "µs", false));
      samples.put(name + " p99_us", rounds(name, results, "p99_us", "µs", false));
      samples.put(name + " cpu_us", rounds(name, results, "cpu_us", "µs/op", false));
    }
    return samples;
  }

  private static Sample rounds(
      String name, List<JsonNode> results, String field, String unit, boolean moreIsBetter)
      throws WrongResultException {
    double[] values = new double[results.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.parseDouble(text(results.get(i), field));
    }
    return sample(name, unit, moreIsBetter, values, "rounds");
  }

  private static Sample sample(
      String name, String unit, boolean moreIsBetter, double[] values, String option)
      throws WrongResultException {
    if (values.length < Sample.VALUES_MIN || !Arrays.stream(values).allMatch(Double::isFinite)) {
      throw new WrongResultException(
          name
              + " was measured "
              + values.length
              + " times, which says nothing of noise: at least "
              + Sample.VALUES_MIN
              + " are needed, see --"
              + option);
    }
    return new Sample(unit, moreIsBetter, values);
  }

  private static String text(JsonNode object, String field) throws WrongResultException {
    JsonNode value = object.path(field);
    if (!value.isValueNode() || value.isNull()) {
      throw new WrongResultException(
          "a result without " + field + ": it is of none of bench micro, ycsb and roundtrip");
    }
    return value.asText();
  }

  /** The file has something that is no result. */
  private static final class WrongResultException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongResultException(String message) {
      super(message);
    }
  }
}
