package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory = Path.of("");

  @Test
  void aFileThatIsRightIsSaidToBe() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "cluster: {port: 1}\n");

    CommandRun run = CommandRun.of("config", "check", file.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(file + ": is right" + System.lineSeparator());
  }

  @Test
  void aCheckOfADataDirectoryMakesNothing() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("a.yaml"), "data: {directory: some/data, durability: fsync}\n");

    CommandRun run = CommandRun.of("config", "check", file.toString());

    assertThat(run.out()).isEqualTo(file + ": is right" + System.lineSeparator());
    assertThat(directory.resolve("some")).doesNotExist();
  }

  /** An upgrade checks the file of a server that runs. */
  @Test
  void aDirectoryThatAServerUsesIsRight() throws IOException {
    Path data = directory.resolve("data");
    Path file = directory.resolve("a.yaml");
    String text = "{cluster: {shards: %d}, data: {directory: data, durability: async}}%n";
    ClusterConfig config = ClusterConfig.of("check").port(0).shards(16);
    try (EmbeddedCanopy node = EmbeddedCanopy.join(config.dataDirectory(data))) {
      assertThat(node.members()).isOne();
      Files.writeString(file, String.format(Locale.ROOT, text, 16));
      assertThat(CommandRun.of("config", "check", file.toString()).exitCode()).isZero();
      Files.writeString(file, String.format(Locale.ROOT, text, 17));
      CommandRun other = CommandRun.of("config", "check", file.toString());
      assertThat(other.exitCode()).isEqualTo(2);
      assertThat(other.out()).contains("16").contains("17");
    }
  }

  @Test
  void whatIsWrongIsALineEach() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "cluster: {prot: 1, owners: 9}\n");

    CommandRun run = CommandRun.of("config", "check", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out().lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("CNPY-5001 " + file + ":1:"));
  }

  @Test
  void programsGetPlacesAndNames() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "cluster: {prot: 1}\n");

    CommandRun run = CommandRun.of("config", "check", file.toString(), "--output", "json");

    assertThat(run.exitCode()).isEqualTo(2);
    JsonNode problem = JSON.readTree(run.out()).path("problems").path(0);
    assertThat(problem.path("code").asText()).isEqualTo("CNPY-5001");
    assertThat(problem.path("source").asText()).isEqualTo(file.toString());
    assertThat(problem.path("line").asInt()).isEqualTo(1);
    assertThat(problem.path("column").asInt()).isEqualTo(11);
    assertThat(problem.path("nearest").asText()).isEqualTo("port");
  }

  @Test
  void showTellsWhereEachValueComesFrom() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "cluster:\n  owners: 3\n");

    CommandRun run =
        CommandRun.of(
            "config", "show", "--config", file.toString(), "--port", "7", "--join", "a,b");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("cluster.owners +3 +" + file + ":2:11")
        .containsPattern("cluster.port +7 +option --port")
        .containsPattern("cluster.members +a,b +option --join")
        .containsPattern("cluster.shards +256 +default");
  }

  @Test
  void showAsJson() throws IOException {
    CommandRun run =
        CommandRun.of("config", "show", "--output", "json", "--authenticate", "--join", "vm1");

    JsonNode shown = JSON.readTree(run.out());
    assertThat(shown.path("security.authenticate").path("value").asText()).isEqualTo("true");
    assertThat(shown.path("security.authenticate").path("from").asText())
        .isEqualTo("option --authenticate");
  }

  @Test
  void theExampleIsRight() throws IOException {
    Path file =
        Files.writeString(directory.resolve("a.yaml"), CommandRun.of("config", "example").out());

    assertThat(CommandRun.of("config", "check", file.toString()).exitCode()).isZero();
  }

  @Test
  void theSchemaIsJson() throws IOException {
    JsonNode schema = JSON.readTree(CommandRun.of("config", "schema").out());

    assertThat(schema.at("/properties/cluster/properties/port/maximum").asInt()).isEqualTo(65_535);
  }
}
