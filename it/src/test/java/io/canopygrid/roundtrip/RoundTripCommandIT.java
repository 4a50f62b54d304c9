package io.canopygrid.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code canopy bench roundtrip} as the user runs it, in a short form: what it says, not how fast.
 */
final class RoundTripCommandIT {
  private static final int ROUNDS = 3;
  private static final long PATIENCE_MINUTES = 4;

  @TempDir private Path directory;

  @Test
  void everyLayerIsMeasuredInEveryRoundAndEachLookUpAsksTheOtherNode() throws Exception {
    Path results = directory.resolve("results");

    assertThat(
            canopy(
                results,
                "bench roundtrip --rounds 3 --seconds 0.2 --warmup 0.2 --keys 3000 --heap 256m"
                    + " --output json"))
        .isZero();

    List<JsonNode> lines = read(results);
    Set<String> measured = new HashSet<>();
    lines.forEach(line -> measured.add(line.get("layer").asText() + line.get("round").asInt()));
    assertThat(lines).hasSize(NetworkLayer.values().length * ROUNDS);
    assertThat(measured).hasSameSizeAs(lines);
    assertThat(lines).allSatisfy(RoundTripCommandIT::isSensible);
    assertThat(lines.stream().map(line -> line.get("question_bytes").asInt()).distinct())
        .as("as long as a look-up's, on all layers")
        .hasSize(1);
    canBeCompared(results);
  }

  private static void isSensible(JsonNode line) {
    NetworkLayer layer =
        Arrays.stream(NetworkLayer.values())
            .filter(one -> one.toString().equals(line.get("layer").asText()))
            .findFirst()
            .orElseThrow();
    long questions = line.get("questions").asLong();
    double seconds = line.get("seconds").asDouble();
    double p50 = line.get("p50_us").asDouble();
    assertThat(questions).isPositive();
    assertThat(seconds).isGreaterThanOrEqualTo(0.2);
    assertThat(line.get("ops_s").asDouble()).isPositive();
    assertThat(p50).isPositive().isLessThanOrEqualTo(line.get("p99_us").asDouble());
    // Half of the questions took the median at least, one after the other.
    assertThat(p50 / 1e6 * questions / 2).isLessThan(seconds * 1.1);
    assertThat(line.get("cpu_us").asDouble()).isPositive();
    assertThat(line.get("round").asInt()).isBetween(1, ROUNDS);
    assertThat(line.get("answer_bytes").asInt()).isGreaterThan(GridNode.VALUE_BYTES);
    JsonNode requests = line.get("remote_requests_per_tx");
    if (layer == NetworkLayer.READ || layer == NetworkLayer.LOOKUP) {
      assertThat(requests.asDouble()).isCloseTo(1, within(0.01));
    } else {
      assertThat(requests.isNull()).isTrue();
    }
  }

  private void canBeCompared(Path results) throws Exception {
    Path comparison = directory.resolve("comparison");

    assertThat(canopy(comparison, "bench compare " + results + " " + results)).isZero();

    assertThat(comparison)
        .content()
        .contains("lookup p50_us", "jgroups p99_us", "socket cpu_us")
        .contains("0 of " + 3 * NetworkLayer.values().length + " differ");
  }

  private static List<JsonNode> read(Path file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  private int canopy(Path out, String arguments) throws IOException, InterruptedException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx512m", "-cp", JavaCommand.classPath()));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }
}
