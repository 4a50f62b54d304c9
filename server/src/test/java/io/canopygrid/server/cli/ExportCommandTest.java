package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.table.NamedBytes;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exports to files and to standard output, in one go or gone on with. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExportCommandTest {
  /** More than two pages of an export of a named snapshot. */
  private static final int MANY = 120_000;

  /** The key of an entry in the second page. */
  private static final int BROKEN = 70_000;

  @TempDir private Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun canopy(String... words) {
    return CommandRun.at(server.address(), words);
  }

  private Path file() {
    return directory.resolve("names.csv");
  }

  private Path part() {
    return directory.resolve("names.csv.part");
  }

  private Path mark() {
    return directory.resolve("names.csv.canopy-export");
  }

  private CommandRun export(String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "export";
    words[1] = file().toString();
    words[2] = "--index";
    words[3] = "names";
    System.arraycopy(more, 0, words, 4, more.length);
    return canopy(words);
  }

  private Index<Long, String> names() {
    return server.node().index("names", Codec.int64(), Codec.string());
  }

  private void putFew() {
    Index<Long, String> names = names();
    server
        .node()
        .run(tx -> {
          for (long key = 1; key <= 5; key++) {
            tx.on(names).put(key, "n" + key);
          }
        });
  }

  /** Writes past the codec into an index of texts: one value is none. */
  private void putMany() {
    Codec<byte[]> raw = new NamedBytes("string");
    Index<Long, byte[]> names = server.node().index("names", Codec.int64(), raw);
    try (Loader<Long, byte[]> loader = server.node().loader(names)) {
      for (long key = 0; key < MANY; key++) {
        byte[] text = ("n" + key).getBytes(StandardCharsets.UTF_8);
        loader.add(key, key == BROKEN ? new byte[] {(byte) 0xC3} : text);
      }
      loader.flush();
    }
  }

  @Test
  void aRangeOfIt() throws IOException {
    putFew();
    CommandRun run = export("--from", "2", "--to", "4", "--limit", "2", "--key", "id");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("2 records of index 'names' are written, 0 left out;");
    assertThat(file()).hasContent("\"id\",\"value\"\n\"2\",\"n2\"\n\"3\",\"n3\"\n");
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file()));

    assertThat(export("--replace", "--to", "1", "-o", "json").out())
        .startsWith("{\"index\":\"names\",\"records\":1,\"wrong\":0,\"bytes\":23,\"seconds\":");
    assertThat(file()).hasContent("\"key\",\"value\"\n\"1\",\"n1\"\n");
    assertThat(export("--replace", "--from", "5").exitCode()).isZero();
    assertThat(file()).hasContent("\"key\",\"value\"\n\"5\",\"n5\"\n");
    assertThat(export("--replace", "--from", "6").exitCode()).isZero();
    assertThat(file()).hasContent("\"key\",\"value\"\n");
  }

  @Test
  void standardOutputHasNothingButRecords() {
    putFew();
    CommandRun run =
        canopy("export", "-", "--index", "names", "--format", "json", "--from", "5", "-o", "json");
    assertThat(run.out()).isEqualTo("{\"key\":\"5\",\"value\":\"n5\"}\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aNamedSnapshot() {
    putFew();
    server.node().snapshot("night");
    server.node().run(tx -> tx.on(names()).put(5L, "later"));
    server.node().run(tx -> tx.on(names()).put(6L, "later"));
    CommandRun run = export("--snapshot", "night", "--from", "4");
    assertThat(run.exitCode()).isZero();
    assertThat(file()).hasContent("\"key\",\"value\"\n\"4\",\"n4\"\n\"5\",\"n5\"\n");
    CommandRun none = export("--snapshot", "day", "--replace");
    assertThat(none.err()).contains("CNPY-3014 UNKNOWN_SNAPSHOT");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file()));
    assertThat(file()).content().contains("n5");
  }

  @Test
  void aFileThatIsThereIsNotOverwrittenByMistake() throws IOException {
    putFew();
    Files.writeString(file(), "mine");
    CommandRun run = export();
    assertThat(run.err()).contains("CNPY-3008 INVALID_ARGUMENT", "is there already");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(file()).hasContent("mine");
    assertThat(part()).doesNotExist();
  }

  @Test
  void whatCannotBeExportedIsRefused() {
    putFew();
    assertThat(canopy("export", file().toString(), "--index", "none").err())
        .contains("CNPY-3006 UNKNOWN_INDEX");
    assertThat(directory).isEmptyDirectory();
    assertThat(canopy("export", "/none/x.csv", "--index", "names").err())
        .contains("CNPY-3008 INVALID_ARGUMENT", "there is no directory /none");
    assertThat(export("--from", "x").err()).contains("CNPY-3011 CODEC_FAILURE", "'x' is no int64");
    assertThat(part()).doesNotExist();
    for (List<String> wrong :
        List.of(
            List.of("--limit", "0"),
            List.of("--key", "value"),
            List.of("--separator", "\""),
            List.of("--resume"))) {
      assertThat(export(wrong.toArray(String[]::new)).exitCode()).as("%s", wrong).isEqualTo(2);
    }
    assertThat(canopy("export", "-", "--index", "names").err()).contains("needs --format");
    assertThat(canopy("export", "names", "--index", "names").err()).contains("give --format");
  }

  @Test
  void anEntryThatALoadCouldNotTakeEndsItOrIsLeftOut() {
    putMany();
    CommandRun run = export();
    assertThat(run.err())
        .contains("CNPY-3011 CODEC_FAILURE", "the entry of key 0x8000000000011170");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(directory).as("it cannot be gone on with").isEmptyDirectory();

    CommandRun rest = export("--wrong-max", "1");
    assertThat(rest.exitCode()).isEqualTo(1);
    assertThat(rest.out()).startsWith("119,999 records of index 'names' are written, 1 left out");
    assertThat(file()).content().hasLineCount(MANY);
  }

  @Test
  void aResumedExportIsOfTheSameSnapshot() throws IOException {
    putMany();
    server.node().snapshot("night");
    assertThat(export("--snapshot", "night", "--wrong-max", "1").out()).startsWith("119,999");
    String whole = Files.readString(file());
    Files.delete(file());

    assertThat(export("--snapshot", "night").err()).contains("CNPY-3011 CODEC_FAILURE");
    assertThat(file()).doesNotExist();
    assertThat(mark()).exists();
    server
        .node()
        .run(tx -> {
          for (long key = 1; key < MANY; key += 1_000) {
            tx.on(names()).put(key, "later");
          }
          tx.on(names()).removeRange(Range.closed(90_000L, 90_100L));
        });
    Files.writeString(part(), "half a rec".repeat(500_000), StandardOpenOption.APPEND);
    CommandRun rest = export("--snapshot", "night", "--wrong-max", "1", "--resume");
    assertThat(rest.out()).startsWith("119,999 records");
    assertThat(file()).content().isEqualTo(whole);
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file()));
  }

  @Test
  void anotherSnapshotOfTheNameIsNotTheSame() {
    putMany();
    server.node().snapshot("night");
    assertThat(export("--snapshot", "night").exitCode()).isEqualTo(1);
    server.node().dropSnapshot("night");
    server.node().snapshot("night");
    CommandRun run = export("--snapshot", "night", "--wrong-max", "1", "--resume");
    assertThat(run.err())
        .contains("CNPY-3014 UNKNOWN_SNAPSHOT", "the rest would be of another snapshot");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(file()).doesNotExist();
  }

  @Test
  void onlyWhatWasBegunIsGoneOnWith() throws IOException {
    putMany();
    server.node().snapshot("night");
    assertThat(export("--snapshot", "night", "--resume").err())
        .contains("CNPY-3008 INVALID_ARGUMENT", "there is nothing to resume");
    assertThat(export("--snapshot", "night").exitCode()).isEqualTo(1);
    assertThat(export("--snapshot", "night", "--from", "1", "--resume").err())
        .contains("CNPY-3008 INVALID_ARGUMENT", "what was begun is another export");

    byte[] bytes = Files.readAllBytes(part());
    bytes[1_000]++;
    Files.write(part(), bytes);
    assertThat(export("--snapshot", "night", "--wrong-max", "1", "--resume").err())
        .contains("CNPY-3008 INVALID_ARGUMENT", "has not what was written");
    Files.write(part(), new byte[10]);
    assertThat(export("--snapshot", "night", "--wrong-max", "1", "--resume").err())
        .contains("has not what was written");
    assertThat(file()).doesNotExist();
    assertThat(export("--snapshot", "night", "--wrong-max", "1").out()).startsWith("119,999");
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file()));
  }

  @Test
  void aReaderExportsWhatTheyMayRead() {
    try (TestServer guarded = TestServer.guarded()) {
      guarded
          .users()
          .put(
              new Request.PutUser(
                  "rita",
                  Credentials.of("books".toCharArray()),
                  List.of(new Request.Grant("people.rows", "reader"))));
      Table<Long, String> people = guarded.node().table("people", Codec.int64(), Codec.string());
      guarded.node().index("secrets", Codec.int64(), Codec.string());
      guarded.node().run(tx -> tx.on(people).put(1L, "Ada"));
      String uri = "canopy://rita:books@" + guarded.address();
      CommandRun run = CommandRun.of("export", file().toString(), "--index", "people", "-c", uri);
      assertThat(run.err()).isEmpty();
      assertThat(file()).hasContent("\"key\",\"value\"\n\"1\",\"Ada\"\n");
      String other = directory.resolve("secrets.csv").toString();
      assertThat(CommandRun.of("export", other, "--index", "secrets", "-c", uri).err())
          .contains("CNPY-4004 FORBIDDEN");
      assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file()));
    }
  }
}
