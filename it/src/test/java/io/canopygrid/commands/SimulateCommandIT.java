package io.canopygrid.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.cli.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code canopy simulate} as a process. */
final class SimulateCommandIT {
  private static final long PATIENCE_MINUTES = 3;

  @TempDir private Path directory;

  private record Ended(int code, String out, String err) {}

  private Ended simulate(String... options) throws IOException, InterruptedException {
    return canopy("simulate", options);
  }

  private Ended canopy(String name, String... options) throws IOException, InterruptedException {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", name));
    command.addAll(List.of(options));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  @Test
  void seedsThatKeepEveryPromiseGiveZero() throws Exception {
    Ended ended = simulate("--seeds", "6", "--from", "100", "--threads", "2");

    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out())
        .contains("6 from 100 on", "both", "splits", "transactions committed")
        .doesNotContain("FAILED");
    assertThat(ended.err()).contains("6 of 6 seeds");
  }

  @Test
  void theSameSeedGivesTheSameCountsInAnotherProcess() throws Exception {
    String[] options = {"--seeds", "3", "--threads", "1", "--faults", "all"};
    String first = simulate(options).out().replaceAll("time .*", "");

    assertThat(simulate(options).out().replaceAll("time .*", "")).isEqualTo(first);
  }

  @Test
  void aPlantedBugGivesOneAndAStory() throws Exception {
    Path trace = directory.resolve("trace");
    String[] planted = {
      "--seeds",
      "20",
      "--layer",
      "index",
      "--work",
      "none",
      "--plant",
      FenceNotValidated.class.getName(),
      "--threads",
      "2"
    };
    Ended ended = simulate(planted);

    assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
    assertThat(ended.out())
        .contains("FAILED: seed ", "not serializable", "The smallest run found that fails", "Again")
        .contains("ends COMMITTED");

    List<String> toFile = new ArrayList<>(List.of(planted));
    toFile.addAll(List.of("--trace", trace.toString(), "--output", "json"));
    Ended json = simulate(toFile.toArray(new String[0]));
    assertThat(json.code()).as(json.toString()).isEqualTo(1);
    assertThat(json.out()).startsWith("{").contains("\"failed\":true", "\"again\":\"canopy ");
    assertThat(trace).content().contains("prepare ").contains("begins: ");
  }

  @Test
  void historiesAreReadByVerify() throws Exception {
    Path histories = directory.resolve("histories");
    Ended ended = simulate("--seeds", "4", "--threads", "2", "--history", histories.toString());

    assertThat(ended.code()).as(ended.toString()).isZero();
    for (String run : List.of("transactions-0", "transactions-3", "index-0", "index-3")) {
      Path file = histories.resolve(run + ".jsonl");
      assertThat(file).content().startsWith("{\"canopy_history\":1,\"workload\":\"list-append\"");
      Ended verified = canopy("verify", file.toString());
      assertThat(verified.code()).as(verified.toString()).isZero();
    }
  }

  /** Not every broken run shows it to its clients; some of these do. */
  @Test
  void theHistoryOfARunThatFailedIsInvalid() throws Exception {
    Path histories = directory.resolve("histories");
    Ended ended =
        simulate(
            "--seeds",
            "6",
            "--layer",
            "index",
            "--work",
            "commits,functions,tables,cursors,loads,drops,past,feeds,remote",
            "--plant",
            FenceNotValidated.class.getName(),
            "--history",
            histories.toString());

    assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
    List<Integer> verdicts = new ArrayList<>();
    try (Stream<Path> written = Files.list(histories)) {
      for (Path history : written.toList()) {
        verdicts.add(canopy("verify", history.toString()).code());
      }
    }
    assertThat(verdicts).isSubsetOf(0, 1).contains(1);
  }

  @Test
  void aHistoryThatCannotBeWrittenGivesThree() throws Exception {
    Path taken = Files.createFile(directory.resolve("taken"));
    Ended ended = simulate("--seeds", "2", "--history", taken.toString());

    assertThat(ended.code()).as(ended.toString()).isEqualTo(3);
    assertThat(ended.err()).contains("CNPY-", "a history cannot be written");
  }

  @Test
  void aTraceThatCannotBeWrittenGivesThree() throws Exception {
    Ended ended =
        simulate(
            "--seeds",
            "20",
            "--layer",
            "index",
            "--plant",
            FenceNotValidated.class.getName(),
            "--trace",
            directory.resolve("missing").resolve("trace").toString());

    assertThat(ended.code()).as(ended.toString()).isEqualTo(3);
    assertThat(ended.err()).contains("CNPY-", "the trace cannot be written");
  }

  @Test
  void whatIsNotUnderstoodGivesTwo() throws Exception {
    Ended fault = simulate("--faults", "crsh");
    assertThat(fault.code()).isEqualTo(2);
    assertThat(fault.err()).contains("CNPY-", "no such fault: crsh", "crash", "--help");

    Ended reads = simulate("--reads", "nearest,dirty");
    assertThat(reads.code()).isEqualTo(2);
    assertThat(reads.err()).contains("CNPY-", "no such way to read: 'dirty'", "parallel");

    Ended work = simulate("--work", "tables,lods");
    assertThat(work.code()).isEqualTo(2);
    assertThat(work.err()).contains("CNPY-", "no such work: 'lods'", "cursors", "loads");

    Ended owners = simulate("--owners", "9");
    assertThat(owners.code()).isEqualTo(2);
    assertThat(owners.err()).contains("CNPY-", "9 of 4");

    Ended seeds = simulate("--seeds", "many");
    assertThat(seeds.code()).isEqualTo(2);
    assertThat(seeds.err()).contains("many");
  }
}
