package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionCommandTest {
  @TempDir Path directory = Path.of("");

  @Test
  void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
    Path script =
        Files.writeString(
            directory.resolve("canopy.bash"), CommandRun.of("completion", "bash").out());

    assertThat(completed(script, "canopy", "sta")).containsExactly("status");
    assertThat(completed(script, "canopy", "server", "--watch")).containsExactly("--watch-port");
  }

  /** The words that bash offers for the last one. */
  private static String[] completed(Path script, String... words)
      throws IOException, InterruptedException {
    String ask =
        String.format(
            Locale.ROOT,
            "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_canopy 2>/dev/null;"
                + " printf '%%s\\n' \"${COMPREPLY[@]}\"",
            script,
            String.join(" ", words),
            words.length - 1);
    Process bash = new ProcessBuilder("bash", "-c", ask).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(out).isZero();
    return out.lines().map(String::strip).toArray(String[]::new);
  }

  @Test
  void anotherShellIsRefused() {
    assertThat(CommandRun.of("completion", "fish").exitCode()).isEqualTo(2);
  }
}
