package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Table;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The changes of an index at the command line. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WatchCommandTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private TestServer server;
  private Index<Long, String> visits;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
    visits = server.node().index("visits", Codec.int64(), Codec.string());
    server.node().snapshot("begin");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun watch(String... more) {
    List<String> words = new ArrayList<>(List.of("watch", "visits"));
    words.addAll(List.of(more));
    words.addAll(List.of("--for", LONG.toSeconds() + "s"));
    return CommandRun.at(server.address(), words.toArray(String[]::new));
  }

  private void put(long key, String value) {
    server.node().run(tx -> tx.on(visits).put(key, value));
  }

  private static void failed(CommandRun run, int exitCode, String why) {
    assertThat(run.err()).contains(why);
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void itPrintsWhatASnapshotDoesNotShow() {
    put(1, "one");
    put(1, "eins");
    CommandRun run = watch("--since", "begin", "--limit", "2");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines()).containsExactly("+ 1 = one", "", "~ 1: one -> eins");
  }

  @Test
  void itPrintsOnlyTheKeysOfTheRange() {
    for (long key = 1; key <= 4; key++) {
      put(key, "v");
    }
    assertThat(watch("--since", "begin", "--from", "2", "--to", "2", "--limit", "1").out().lines())
        .containsExactly("+ 2 = v");
    assertThat(watch("--since", "begin", "--to", "1", "--limit", "1").out()).startsWith("+ 1 = v");
    assertThat(watch("--since", "begin", "--from", "4", "--limit", "1").out())
        .startsWith("+ 4 = v");
  }

  @Test
  void aPositionFileAndAPositionGoOn() throws IOException {
    Path file = directory.resolve("visits.position");
    put(1, "one");
    String out =
        watch("--since", "begin", "-o", "json", "--limit", "1", "--position-file", file.toString())
            .out();
    assertThat(out)
        .startsWith(
            "{\"changes\":[{\"key\":\"1\",\"before\":null,\"after\":\"one\"}],\"position\":");
    String position = Files.readString(file).strip();
    assertThat(out).contains("\"" + position + "\"");

    put(2, "two");
    assertThat(watch("--after", position, "--limit", "1").out().lines())
        .containsExactly("+ 2 = two");
    assertThat(
            watch("--since", "begin", "--limit", "1", "--position-file", file.toString())
                .out()
                .lines())
        .containsExactly("+ 2 = two");
    assertThat(Files.readString(file).strip()).isNotEqualTo(position);
  }

  @Test
  void itEndsAfterItsTime() {
    CommandRun run = CommandRun.at(server.address(), "watch", "visits", "--for", "100ms");
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theRowsOfATable() {
    Table<Long, String> people = server.node().table("people", Codec.int64(), Codec.string());
    server.node().run(tx -> tx.on(people).put(1L, "Ada"));
    CommandRun run =
        CommandRun.at(
            server.address(),
            "watch",
            "people",
            "--since",
            "begin",
            "--limit",
            "1",
            "--for",
            LONG.toSeconds() + "s");
    assertThat(run.out().lines()).containsExactly("+ 1 = Ada");
  }

  @Test
  void whatCannotBeWatchedIsRefused() throws IOException {
    failed(CommandRun.at(server.address(), "watch", "none"), 1, "CNPY-3006 UNKNOWN_INDEX");
    failed(watch("--since", "none"), 1, "CNPY-3014 UNKNOWN_SNAPSHOT");
    failed(watch("--from", "x"), 1, "CNPY-3011 CODEC_FAILURE");
    failed(watch("--after", "x"), 1, "INVALID_TOKEN");
    Path file = directory.resolve("p");
    Files.writeString(file, "x");
    failed(watch("--position-file", file.toString()), 1, "INVALID_TOKEN");
    failed(watch("--position-file", "/none/p"), 1, "/none/p: it cannot be written");
    for (List<String> wrong :
        List.of(
            List.of("--limit", "0"),
            List.of("--for", "5"),
            List.of("--for", "2h30"),
            List.of("--as-of", "yesterday"),
            List.of("--since", "a", "--after", "b"),
            List.of("--prefix", "a", "--from", "b"))) {
      List<String> words = new ArrayList<>(List.of("watch", "visits"));
      words.addAll(wrong);
      CommandRun run = CommandRun.at(server.address(), words.toArray(String[]::new));
      assertThat(run.exitCode()).as("%s", wrong).isEqualTo(2);
    }
  }

  @Test
  void aReaderWatchesWhatTheyMayRead() {
    try (TestServer guarded = TestServer.guarded()) {
      guarded
          .users()
          .put(
              new Request.PutUser(
                  "rita",
                  Credentials.of("books".toCharArray()),
                  List.of(new Request.Grant("hers", "reader"))));
      guarded.node().index("hers", Codec.int64(), Codec.string());
      guarded.node().index("secrets", Codec.int64(), Codec.string());
      String uri = "canopy://rita:books@" + guarded.address();
      CommandRun run = CommandRun.of("watch", "hers", "--for", "100ms", "-c", uri);
      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      failed(CommandRun.of("watch", "secrets", "-c", uri), 1, "CNPY-4004 FORBIDDEN");
    }
  }
}
