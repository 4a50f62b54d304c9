package io.canopygrid.soak.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Options that {@code canopy soak} refuses before it starts anything. */
final class SoakCommandTest {
  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  private int soak(String... options) {
    CommandLine line = new CommandLine(new SoakCommand());
    line.setErr(new PrintWriter(err, true));
    return line.execute(options);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes=2        | --nodes must be >= 3: 2",
        "--minutes=0      | --minutes must be > 0: 0.0",
        "--minutes=NaN    | --minutes must be > 0: NaN",
        "--transactions=-1| --transactions must be >= 0: -1",
        "--faults=kil     | no such fault: kil; there are [kill, pause, cut, one-way,",
        "--faults=kill-all| kill-all is for nodes with disks: durability async or fsync",
        "--faults=power   | power is for nodes with disks that are forced: durability fsync",
        "--previous=none  | --previous must be an unpacked archive: none has no lib",
      })
  void aWrongOption(String option, String words) {
    assertThat(soak(option)).isEqualTo(2);
    assertThat(err.toString()).contains("CNPY-3008").contains(words);
  }

  @Test
  void aDirectoryForHistoriesThatIsInUse() throws IOException {
    Files.writeString(directory.resolve("mine.txt"), "mine");

    assertThat(soak("--history", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--history must be an empty directory: " + directory);
    assertThat(directory.resolve("mine.txt")).hasContent("mine");
  }
}
