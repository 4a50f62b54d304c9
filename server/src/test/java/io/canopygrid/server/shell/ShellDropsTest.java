package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.terminal.OutputFormat;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The shell asks a person before it drops, and nobody where none is there. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ShellDropsTest {
  private final List<String> prompts = new ArrayList<>();
  private TestServer server;
  private EmbeddedCanopy node;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
    node = server.node();
    node.index("visits", Codec.int64(), Codec.string());
    node.table("people", Codec.int64(), Codec.string(), List.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /**
   * Runs a command of the shell.
   *
   * @param answer of the person who types; null: nobody does
   */
  private int run(@Nullable String answer, String... words) {
    CommandLine.IFactory factory =
        new CommandLine.IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == Confirmation.class
                ? type.cast(new Confirmation(() -> answer == null ? null : asked(answer)))
                : CommandLine.defaultFactory().create(type);
          }
        };
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address());
        ShellCommands commands = new ShellCommands(db, nowhere, OutputFormat.TABLE)) {
      CommandLine line = new CommandLine(commands, factory).setErr(nowhere);
      return line.execute(ShellWords.arguments(line, List.of(words)));
    }
  }

  private UnaryOperator<@Nullable String> asked(String answer) {
    return prompt -> {
      prompts.add(prompt);
      return answer;
    };
  }

  @Test
  void aPersonIsAskedForTheName() {
    assertThat(run("yes", "drop-index", "visits")).isNotZero();
    assertThat(run("", "drop-table", "people")).isNotZero();
    assertThat(node.indexes()).containsExactly("people.definitions", "people.rows", "visits");
    assertThat(prompts)
        .containsExactly(
            "Drop index 'visits' with all of its entries? Type its name to go on: ",
            "Drop table 'people' with all of its rows and indexes? Type its name to go on: ");
    assertThat(run("visits", "drop-index", "visits")).isZero();
    assertThat(run("people", "drop-table", "people")).isZero();
    assertThat(node.indexes()).isEmpty();
  }

  @Test
  void nobodyIsAskedInAScriptOrWhereTheAnswerIsGiven() {
    assertThat(run(null, "drop-index", "visits")).isZero();
    assertThat(run("no", "drop-table", "--yes", "people")).isZero();
    assertThat(node.indexes()).isEmpty();
    assertThat(prompts).isEmpty();
  }
}
