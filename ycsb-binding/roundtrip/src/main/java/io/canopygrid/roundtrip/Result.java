package io.canopygrid.roundtrip;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of one layer in one round. Immutable.
 *
 * @param round from 1 on
 * @param sizes of question and answer; the look-up gives the sizes of all other layers
 * @param questions that were answered
 * @param seconds they took together
 * @param cpuSeconds processor time of both JVMs meanwhile
 * @param remoteRequests that the node counted meanwhile
 * @param systemLoad load average of the machine at the end, negative if unknown
 */
record Result(
    NetworkLayer layer,
    int round,
    MessageSizes sizes,
    long questions,
    double seconds,
    double cpuSeconds,
    double p50Micros,
    double p99Micros,
    long remoteRequests,
    double systemLoad) {

  /** Processor time for each question, in µs. */
  double cpuMicros() {
    return cpuSeconds * 1e6 / questions;
  }

  /** Requests for each question; of layers that the node does not count 0. */
  double remoteRequestsPerQuestion() {
    return (double) remoteRequests / questions;
  }

  /** Whether each question asked the other node, where the node counts such requests. */
  boolean isRemote() {
    return !layer.isCounted() || remoteRequests >= questions;
  }

  /** One JSON object on one line. */
  String json() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("peer", "\"canopy\"");
    fields.put("layer", "\"" + layer + "\"");
    fields.put("round", Integer.toString(round));
    fields.put("question_bytes", Integer.toString(sizes.question()));
    fields.put("answer_bytes", Integer.toString(sizes.answer()));
    fields.put("questions", Long.toString(questions));
    fields.put("seconds", decimals(2, seconds));
    fields.put("ops_s", decimals(1, questions / seconds));
    fields.put("cpu_us", decimals(1, cpuMicros()));
    fields.put("p50_us", decimals(1, p50Micros));
    fields.put("p99_us", decimals(1, p99Micros));
    fields.put("load", decimals(2, systemLoad));
    fields.put(
        "remote_requests_per_tx",
        layer.isCounted() ? decimals(3, remoteRequestsPerQuestion()) : "null");
    return fields.entrySet().stream()
        .map(field -> "\"" + field.getKey() + "\": " + field.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
