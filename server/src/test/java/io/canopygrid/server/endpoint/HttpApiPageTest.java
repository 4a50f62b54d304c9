package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of pages about the HTTP API print what the pages say. */
final class HttpApiPageTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```sh\\R(curl.*?)```\\R```json\\R(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"../docs/reference/http-api.md, 6", "../README.md, 1"})
  void itsCommandsPrintWhatItSays(String page, int examples) throws Exception {
    assumeTrue(run("curl --help all").contains("--json"), "curl 7.82 or newer is here");
    int found = 0;
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      Matcher example = EXAMPLE.matcher(Files.readString(Path.of(page)));
      while (example.find()) {
        found++;
        String commands =
            example
                .group(1)
                .replace("127.0.0.1:11444", server.address())
                .replace("curl ", "curl -sS ");
        assertThat(run(commands)).as(commands).isEqualTo(example.group(2));
      }
    }
    assertThat(found).isEqualTo(examples);
  }

  private static String run(String commands) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("bash", "-c", commands).redirectErrorStream(true).start();
    String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    shell.waitFor();
    return printed;
  }
}
