package io.canopygrid.soak;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.Durability;
import io.canopygrid.history.Anomaly;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of a whole run.
 *
 * @param lasted from the start of the first node to the end of the last round
 * @param unavailableMillis for each shard, the longest time in which no node could use it
 */
public record SoakReport(
    SoakOptions options, Duration lasted, List<RoundResult> rounds, long[] unavailableMillis) {
  private static final int WRONG_TOLD = 10;
  private static final double MEGABYTE = 1e6;

  /** Whether nothing was wrong. */
  public boolean passed() {
    return rounds.stream().allMatch(RoundResult::isRight);
  }

  /** Acknowledged transactions. */
  public long committed() {
    return rounds.stream().mapToLong(RoundResult::committed).sum();
  }

  /** The number of anomalies of all kinds. */
  public int anomalies() {
    return rounds.stream()
        .flatMap(round -> round.anomalies().values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }

  /** The number of acknowledged writes that were lost, overwritten ones included. */
  public int lostWrites() {
    int lost = 0;
    for (RoundResult round : rounds) {
      for (Map.Entry<Anomaly, Integer> found : round.anomalies().entrySet()) {
        lost += Round.isLoss(found.getKey()) ? found.getValue() : 0;
      }
    }
    return lost;
  }

  /** The number of times that each fault was done. */
  public Map<ClusterFault, Integer> faults() {
    Map<ClusterFault, Integer> times = new EnumMap<>(ClusterFault.class);
    rounds.forEach(
        round -> round.faults().forEach(done -> times.merge(done.fault(), 1, Integer::sum)));
    return times;
  }

  private Map<String, Long> failed() {
    Map<String, Long> failed = new TreeMap<>();
    rounds.forEach(round -> round.failed().forEach((why, n) -> failed.merge(why, n, Long::sum)));
    return failed;
  }

  private long unknown() {
    return rounds.stream().mapToLong(RoundResult::unknown).sum();
  }

  private long changes() {
    return rounds.stream().mapToLong(RoundResult::changes).sum();
  }

  /** The number of subtrees that went to the node whose clients use them, at least. */
  long drawn() {
    return rounds.stream().mapToLong(RoundResult::drawn).sum();
  }

  /** For a person. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "time",
        String.format(
            Locale.ROOT, "%.1f minutes, %d rounds", lasted.toMillis() / 6e4, rounds.size()));
    line(text, "cluster", cluster());
    line(
        text,
        "operations",
        String.format(
            Locale.ROOT,
            "%,d committed; refused: %s; %,d of unknown outcome",
            committed(),
            failed(),
            unknown()));
    line(text, "faults", faultWords());
    line(
        text,
        "structure",
        String.format(
            Locale.ROOT,
            "%,d subtrees split, merged or moved meanwhile, %,d or more drawn to who uses them",
            changes(),
            drawn()));
    line(
        text,
        "unavailable",
        String.format(
            Locale.ROOT,
            "%.1f s at most; each shard: %s ms",
            worstSeconds(),
            list(unavailableMillis)));
    line(
        text,
        "anomalies",
        String.format(Locale.ROOT, "%d in %d histories", anomalies(), histories()));
    line(text, "lost writes", "" + lostWrites());
    line(text, "memory", growth());
    line(text, "verdict", passed() ? "PASSED" : "FAILED");
    rounds.stream()
        .flatMap(round -> round.wrong().stream())
        .limit(WRONG_TOLD)
        .forEach(wrong -> text.append("\n\n").append(wrong));
    return text.substring(1);
  }

  private String placement() {
    return options.placement().name().toLowerCase(Locale.ROOT);
  }

  private String cluster() {
    return String.format(
        Locale.ROOT,
        "%d nodes, %d shards and the crown's, 2 owners, placement %s, data %s, seed %d",
        options.nodes(),
        options.shards(),
        placement(),
        data(),
        options.seed());
  }

  private String data() {
    Durability durability = options.durability();
    return durability == null ? "in memory" : durability.name().toLowerCase(Locale.ROOT);
  }

  private String faultWords() {
    String words =
        faults().entrySet().stream()
            .map(entry -> entry.getKey().label() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "none" : words;
  }

  private int histories() {
    return rounds.stream().mapToInt(RoundResult::histories).sum();
  }

  private double worstSeconds() {
    return ShardGaps.greatest(unavailableMillis) / 1e3;
  }

  private String growth() {
    RoundResult first = rounds.get(0);
    RoundResult last = rounds.get(rounds.size() - 1);
    return String.format(
        Locale.ROOT,
        "%.1f MB live and %.0f threads in a node after the first round, %.1f MB and %.0f after the"
            + " last",
        mean(first.heapBytes()) / MEGABYTE,
        mean(first.threads()),
        mean(last.heapBytes()) / MEGABYTE,
        mean(last.threads()));
  }

  private static double mean(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).average().orElse(0);
  }

  private static String list(long[] values) {
    return java.util.Arrays.stream(values)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append('\n').append(String.format(Locale.ROOT, "%-11s  %s", name, value));
  }

  /** For a program. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeBooleanField("passed", passed());
      json.writeNumberField("seconds", lasted.toMillis() / 1e3);
      json.writeNumberField("rounds", rounds.size());
      json.writeNumberField("nodes", options.nodes());
      json.writeNumberField("seed", options.seed());
      json.writeStringField("placement", placement());
      json.writeStringField("data", data());
      json.writeNumberField("committed", committed());
      json.writeNumberField("unknown", unknown());
      counts(json, "failed", failed());
      counts(json, "faults", faults());
      json.writeNumberField("structure_changes", changes());
      json.writeNumberField("drawn", drawn());
      json.writeFieldName("unavailable_millis");
      json.writeArray(unavailableMillis, 0, unavailableMillis.length);
      json.writeNumberField("histories", histories());
      json.writeNumberField("anomalies", anomalies());
      json.writeNumberField("lost_writes", lostWrites());
      json.writeNumberField("heap_bytes_first", mean(rounds.get(0).heapBytes()));
      json.writeNumberField("heap_bytes_last", mean(rounds.get(rounds.size() - 1).heapBytes()));
      json.writeNumberField("threads_first", mean(rounds.get(0).threads()));
      json.writeNumberField("threads_last", mean(rounds.get(rounds.size() - 1).threads()));
      json.writeArrayFieldStart("wrong");
      for (RoundResult round : rounds) {
        for (String wrong : round.wrong()) {
          json.writeString(wrong);
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("a string cannot be written to", e);
    }
    return text.toString();
  }

  private static void counts(JsonGenerator json, String name, Map<?, ? extends Number> counts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<?, ? extends Number> count : counts.entrySet()) {
      String label =
          count.getKey() instanceof ClusterFault fault ? fault.label() : "" + count.getKey();
      json.writeNumberField(label, count.getValue().longValue());
    }
    json.writeEndObject();
  }
}
