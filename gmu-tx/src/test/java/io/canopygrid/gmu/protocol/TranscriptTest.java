package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each scenario of {@code src/test/resources/transcripts} prints what its file says. With {@code
 * -Dtranscripts.rewrite=true} the files are written anew, to be read before they are committed.
 */
final class TranscriptTest {
  private static final Path DIRECTORY = Path.of("src/test/resources/transcripts");
  private static final int SCENARIOS_MIN = 15;

  static List<String> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theScenariosAreThere() throws IOException {
    assertThat(scenarios()).hasSizeGreaterThanOrEqualTo(SCENARIOS_MIN);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void printsWhatItsFileSays(String scenario) throws IOException {
    Path file = DIRECTORY.resolve(scenario);
    String written = Files.readString(file);
    String now = replayed(written);
    if (Boolean.getBoolean("transcripts.rewrite")) {
      Files.writeString(file, now);
    } else {
      assertThat(now).isEqualTo(written);
    }
  }

  /**
   * The file as it is when its commands run now: a block of commands, a line of four hyphens, what
   * they print, an empty line.
   */
  private static String replayed(String written) {
    Transcript transcript = new Transcript();
    StringBuilder now = new StringBuilder();
    List<String> commands = new ArrayList<>();
    boolean printed = false;
    for (String line : written.lines().toList()) {
      if (line.equals("----")) {
        now.append("----\n").append(transcript.run(commands)).append('\n');
        commands.clear();
        printed = true;
      } else if (printed) {
        printed = !line.isEmpty();
      } else {
        now.append(line).append('\n');
        if (!line.isEmpty() && !line.startsWith("#")) {
          commands.add(line);
        }
      }
    }
    if (!commands.isEmpty()) {
      throw new AssertionError("no ---- after the last commands: " + commands);
    }
    return now.toString();
  }
}
