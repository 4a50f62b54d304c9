package io.canopygrid.ycsb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CompareCommandTest {
  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void whatIsFasterBeyondNoiseIsBetterAndTheRestIsTheSame() throws IOException {
    Path a =
        write(
            "a", "[" + jmh("get", "avgt", 100, 102, 98) + "," + jmh("scan", "avgt", 5, 9, 7) + "]");
    Path b =
        write("b", "[" + jmh("get", "avgt", 50, 51, 49) + "," + jmh("scan", "avgt", 8, 6, 9) + "]");

    assertThat(compare(a, b)).isZero();

    assertThat(row("get")).matches(".* 100.00 +50.00 +ns/op +-50.0 % +better");
    assertThat(row("scan")).endsWith("same");
    assertThat(out.toString()).contains("1 of 2 differ beyond noise");
  }

  @Test
  void lessTimeIsBetterAndLessThroughputIsWorse() throws IOException {
    Path a = write("a", "[" + jmh("get", "thrpt", 100, 102, 98) + "]");
    Path b = write("b", "[" + jmh("get", "thrpt", 50, 51, 49) + "]");

    assertThat(compare(a, b)).isZero();

    assertThat(row("get")).endsWith("worse");
  }

  @Test
  void aRunIsTheSameAsItself() throws IOException {
    Path a =
        write(
            "a", "[" + jmh("get", "avgt", 100, 102, 98) + "," + jmh("put", "avgt", 3, 3, 3) + "]");

    assertThat(compare(a, a)).isZero();

    assertThat(out.toString()).contains("0 of 2 differ beyond noise");
  }

  @Test
  void roundsOfYcsbAreComparedByWorkloadAndThreads() throws IOException {
    Path a = write("a", ycsb("a", 1000, 1010, 990) + ycsb("b", 50, 70, 60));
    Path b = write("b", ycsb("a", 1500, 1510, 1490) + ycsb("c", 9, 9, 9));

    assertThat(compare(a, b)).isZero();

    assertThat(row("a/4 ops_s")).contains("ops/s", "+50.0 %").endsWith("better");
    assertThat(row("a/4 cpu_us")).endsWith("better");
    assertThat(out.toString()).contains("only in a: b/4 cpu_us, b/4 ops_s", "only in b: c/4");
  }

  @Test
  void roundsOfRoundTripsAreComparedByLayer() throws IOException {
    Path a = write("a", roundTrips("lookup", 80, 81, 79) + roundTrips("socket", 50, 50, 51));
    Path b = write("b", roundTrips("lookup", 120, 121, 119) + roundTrips("socket", 51, 50, 50));

    assertThat(compare(a, b)).isZero();

    assertThat(row("lookup p50_us")).contains("+50.0 %").endsWith("worse");
    assertThat(row("lookup p99_us")).endsWith("worse");
    assertThat(row("lookup cpu_us")).contains("µs/op").endsWith("worse");
    assertThat(row("socket p50_us")).endsWith("same");
    assertThat(out.toString()).contains("3 of 6 differ");
  }

  @Test
  void aFileThatIsNoRunIsAUsageError() throws IOException {
    Path good = write("good", "[" + jmh("get", "avgt", 1, 2, 3) + "]");

    refuses(good, directory.resolve("none"), "there is no file");
    refuses(good, write("text", "hello"), "is no JSON (line 1)");
    refuses(good, write("empty", ""), "has no results");
    refuses(good, write("other", "{\"x\": 1}"), "a result without workload");
    refuses(good, write("array", "[{\"benchmark\": \"x\"}]"), "a result without scoreUnit");
    refuses(good, write("once", ycsb("a", 7)), "was measured 1 times", "--rounds");
    refuses(good, write("ycsb", ycsb("a", 7, 8, 9)), "nothing in common");
    refuses(
        good,
        write("unit", "[" + jmh("get", "avgt", 1, 2, 3).replace("ns/op", "s/op") + "]"),
        "in ns/op and in s/op");
  }

  private void refuses(Path a, Path b, String... message) {
    err.getBuffer().setLength(0);
    assertThat(compare(a, b)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private int compare(Path a, Path b) {
    CommandLine line = new CommandLine(new CompareCommand());
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(a.toString(), b.toString());
  }

  private String row(String what) {
    return out.toString().lines().filter(line -> line.contains(what)).findFirst().orElse("");
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  /** As JMH writes it, with one iteration in each fork. */
  private static String jmh(String benchmark, String mode, double... forks) {
    List<String> raw = DoubleStream.of(forks).mapToObj(f -> "[" + f + "]").toList();
    return String.format(
        Locale.ROOT,
        """
        {"benchmark": "io.canopygrid.ReadBenchmark.%s", "mode": "%s", "params": {"keys": "STORE"},
         "primaryMetric": {"score": 1, "scoreUnit": "ns/op", "rawData": [%s]}}
        """,
        benchmark,
        mode,
        String.join(",", raw));
  }

  private static String roundTrips(String layer, double... rounds) {
    return DoubleStream.of(rounds)
        .mapToObj(micros ->
            String.format(
                Locale.ROOT,
                "{\"layer\": \"%s\", \"p50_us\": %f, \"p99_us\": %f, \"cpu_us\": %f}%n",
                layer,
                micros,
                2 * micros,
                micros))
        .collect(Collectors.joining());
  }

  private static String ycsb(String workload, double... rounds) {
    return DoubleStream.of(rounds)
        .mapToObj(rate ->
            String.format(
                Locale.ROOT,
                "{\"peer\": \"canopy\", \"workload\": \"%s\", \"threads\": 4, \"ops_s\": %f,"
                    + " \"cpu_us\": %f}%n",
                workload,
                rate,
                1e6 / rate))
        .collect(Collectors.joining());
  }
}
