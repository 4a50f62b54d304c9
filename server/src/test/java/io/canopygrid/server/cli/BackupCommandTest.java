package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexState;
import io.canopygrid.Limits;
import io.canopygrid.Loader;
import io.canopygrid.Table;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a lone node, what is wrong with some, and restores into another node. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BackupCommandTest {
  private static final int MANY = 40_000;
  private static final Codec<String> WORDS = Codec.string();
  private static final IndexDefinition<String, String> BY_LETTER =
      IndexDefinition.of("letter", Codec.string(), word -> word.substring(0, 1));
  private static final IndexDefinition<String, String> BY_WORD =
      IndexDefinition.<String, String>of("word", Codec.string(), word -> word).unique();

  private TestServer server;

  @TempDir private Path directory;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun backup(TestServer at, String... words) {
    List<String> all = new ArrayList<>(List.of("backup", words[0], backups()));
    all.addAll(List.of(words).subList(1, words.length));
    return CommandRun.at(at.address(), all.toArray(String[]::new));
  }

  private CommandRun offline(String command, String... words) {
    List<String> all = new ArrayList<>(List.of("backup", command, backups()));
    all.addAll(List.of(words));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String backups() {
    return directory.resolve("backups").toString();
  }

  private CommandRun created() {
    CommandRun run = backup(server, "create");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(server.node().snapshots()).isEmpty();
    return run;
  }

  private Path only(String ending) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(backups()))) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .findFirst()
          .orElseThrow(() -> new IOException("no " + ending));
    }
  }

  private void fill() {
    Index<Long, byte[]> many =
        server
            .node()
            .index(
                "many",
                Codec.int64(),
                Codec.bytes(),
                IndexOptions.DEFAULTS.withSubtreeEntriesMax(2_000));
    try (Loader<Long, byte[]> loader = server.node().loader(many)) {
      for (long key = 0; key < MANY; key++) {
        loader.add(key, new byte[(int) (key % 2_000)]);
      }
      loader.flush();
    }
    server.node().structure("many").fixCutOff(OptionalInt.of(7));
    Index<byte[], byte[]> edges = server.node().index("edges", Codec.bytes(), Codec.bytes());
    server.node().index("empty", Codec.string(), Codec.json(Map.class));
    server
        .node()
        .run(tx -> {
          tx.on(edges).put(new byte[0], new byte[0]);
          tx.on(edges).put(new byte[Limits.KEY_BYTES_MAX], new byte[Limits.VALUE_BYTES_MAX]);
          tx.on(edges).put(new byte[] {-1}, new byte[] {0});
        });
  }

  private Table<Long, String> table(TestServer at, String name) {
    return at.node().table(name, Codec.int64(), WORDS, List.of(BY_LETTER, BY_WORD));
  }

  private void fillTable() {
    Table<Long, String> words = table(server, "words");
    words.createIndex(BY_LETTER);
    words.createIndex(BY_WORD);
    server
        .node()
        .run(tx -> {
          for (long key = 0; key < 500; key++) {
            tx.on(words).put(key, Long.toString(key, 36) + " word");
          }
        });
  }

  /** All entries of all indexes, by bytes. */
  private static Map<String, Map<String, String>> content(TestServer at) {
    Map<String, Map<String, String>> all = new TreeMap<>();
    for (String name : at.node().indexes()) {
      all.put(name, RawEntries.of(at, name));
    }
    return all;
  }

  @Test
  void aBackupIsListedAndVerified() throws IOException {
    fill();
    fillTable();
    CommandRun run = created();
    assertThat(run.out()).contains("is whole: 41,504 entries of 7 indexes");
    CommandRun list = offline("list", "-o", "json");
    assertThat(new ObjectMapper().readTree(list.out()).get("state").asText()).isEqualTo("whole");
    assertThat(offline("list").out()).contains("whole").contains("41504");
    CommandRun verified = offline("verify");
    assertThat(verified.out()).contains("no problem was found; 41,504 entries");
    assertThat(verified.exitCode()).isZero();
    try (Stream<Path> files = Files.walk(Path.of(backups()))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .doesNotContain("plan.json", "done")
          .noneMatch(file -> file.startsWith("."));
    }
    assertThat(offline("remove", "20200101T000000.000Z").err()).contains("CNPY-3008");
    String name = new ObjectMapper().readTree(list.out()).get("backup").asText();
    assertThat(offline("remove", name).exitCode()).isZero();
    assertThat(Path.of(backups())).isEmptyDirectory();
    assertThat(offline("verify").err()).contains("CNPY-3008").contains("no whole backup");
  }

  @Test
  void eachFlippedByteIsFound() throws IOException {
    fillTable();
    created();
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(backups()))) {
      files = all.filter(Files::isRegularFile).toList();
    }
    assertThat(files).hasSize(5);
    for (Path file : files) {
      byte[] good = Files.readAllBytes(file);
      List<Integer> places = new ArrayList<>(List.of(4)); // in gzip the time, which nothing reads
      for (int at = 0; at < good.length; at += Math.max(1, good.length / 7)) {
        places.add(at);
      }
      for (int at : places) {
        byte[] bad = good.clone();
        bad[at] ^= 0x10;
        Files.write(file, bad);
        CommandRun run = offline("verify");
        assertThat(run.exitCode()).as(file + " at " + at + run.out() + run.err()).isIn(1, 3);
        assertThat(run.out() + run.err()).containsPattern("CNPY-500[67]");
      }
      Files.write(file, java.util.Arrays.copyOf(good, good.length - 1));
      assertThat(offline("verify").exitCode()).as("truncated " + file).isEqualTo(3);
      Files.delete(file);
      assertThat(offline("verify").exitCode()).as("without " + file).isEqualTo(3);
      Files.write(file, good);
    }
    assertThat(offline("verify").exitCode()).isZero();
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    fillTable();
    created();
    Path manifest = only("manifest.json");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("\"canopyBackup\":1", "\"canopyBackup\":2"));
    CommandRun run = offline("verify");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("CNPY-5007 BACKUP_FORMAT").contains("has format 2");
    assertThat(offline("list").out()).contains("CNPY-5007");
  }

  @Test
  void anIndexThatIsDroppedMeanwhileIsInIt() throws IOException {
    fill();
    CommandRun first = backup(server, "create", "-o", "json");
    assertThat(first.exitCode()).isZero();
    server.node().dropIndex("many");
    CommandRun second = backup(server, "create", "-o", "json");
    ObjectMapper json = new ObjectMapper();
    assertThat(json.readTree(first.out()).get("entries").asInt()).isEqualTo(MANY + 3);
    assertThat(json.readTree(second.out()).get("entries").asInt()).isEqualTo(3);
    assertThat(offline("list", "-o", "json").out().lines()).hasSize(2);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws IOException {
    fill();
    Files.writeString(Path.of(backups()), "a file");
    CommandRun run = backup(server, "create");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("CNPY-5008").contains("backups");
    assertThat(server.node().snapshots()).isEmpty();
    assertThat(CommandRun.of("backup", "list", "ftp://elsewhere/").err())
        .contains("CNPY-3008")
        .contains("ftp://");
  }

  @Test
  void aBackupWithoutManifestIsNotWhole() throws IOException {
    fill();
    created();
    Map<String, byte[]> whole = files();
    // As after a kill: no manifest, some ranges are done, and the snapshot is there.
    ObjectMapper json = new ObjectMapper();
    assertThat(offline("verify").exitCode()).isZero();
    Files.delete(only("manifest.json"));
    assertThat(offline("list").out()).contains("not whole");
    CommandRun verified = offline("verify");
    assertThat(verified.exitCode()).isEqualTo(3);
    assertThat(verified.out()).contains("CNPY-5006").contains("is not whole");
    assertThat(whole).hasSizeGreaterThan(3);
    CommandRun anew = backup(server, "create", "--resume", "-o", "json");
    assertThat(anew.exitCode()).as(anew.err()).isZero();
    assertThat(json.readTree(anew.out()).get("entries").asInt()).isEqualTo(MANY + 3);
    assertThat(server.node().snapshots()).isEmpty();
  }

  @Test
  void aRestoreMakesTheSameBytes() throws IOException {
    fill();
    fillTable();
    created();
    Map<String, Map<String, String>> before = content(server);
    try (TestServer other = new TestServer(EndpointLimits.DEFAULTS)) {
      CommandRun run = backup(other, "restore");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("is restored: 41,504 entries of 7 indexes");
      assertThat(content(other)).isEqualTo(before);
      assertThat(other.node().structure("many").cutOff().subtreesPerNode()).isEqualTo(7);
      Table<Long, String> words = table(other, "words");
      assertThat(words.check().differences()).isEmpty();
      other.node().run(tx -> tx.on(words).put(1_000L, "another"));
      List<Long> found = other.node().read(tx -> tx.on(words).by(BY_LETTER).keys("a").toList());
      assertThat(found).contains(1_000L, 10L);

      CommandRun again = backup(other, "restore");
      assertThat(again.exitCode()).isEqualTo(1);
      assertThat(again.err()).contains("CNPY-3008").contains("edges, empty, many, words");
      other.node().run(tx -> tx.on(words).remove(7L));
      CommandRun replaced = backup(other, "restore", "--replace");
      assertThat(replaced.exitCode()).as(replaced.err()).isZero();
      assertThat(content(other)).isEqualTo(before);
    }
  }

  @Test
  void oneTableIsRestoredUnderAnotherName() throws IOException {
    fillTable();
    created();
    Map<String, Map<String, String>> before = content(server);
    CommandRun run = backup(server, "restore", "--index", "words", "--as", "words2");
    assertThat(run.exitCode()).as(run.err()).isZero();
    Map<String, Map<String, String>> expected = new TreeMap<>(before);
    before.forEach((name, entries) -> expected.put(name.replace("words", "words2"), entries));
    assertThat(content(server)).isEqualTo(expected);
    assertThat(table(server, "words2").check().differences()).isEmpty();
    assertThat(backup(server, "restore", "--index", "nothing").err()).contains("CNPY-3006");
    assertThat(backup(server, "restore", "--index", "words.rows").err()).contains("CNPY-3021");
    assertThat(backup(server, "restore", "--as", "x").exitCode()).isEqualTo(2);
  }

  @Test
  void anInterruptedRestoreSaysSoAndGoesOn() throws IOException {
    fill();
    fillTable();
    created();
    Map<String, Map<String, String>> before = content(server);
    Path file = last("data");
    byte[] good = Files.readAllBytes(file);
    byte[] bad = good.clone();
    bad[bad.length / 2] ^= 1;
    try (TestServer other = new TestServer(EndpointLimits.DEFAULTS)) {
      Files.write(file, bad);
      CommandRun failed = backup(other, "restore");
      assertThat(failed.exitCode()).isEqualTo(1);
      assertThat(failed.err()).contains("CNPY-5006").contains("the restore is not complete");
      assertThat(other.node().indexes()).contains("canopy.restore");
      assertThat(table(other, "words").indexes().values()).doesNotContain(IndexState.READY);
      assertThat(backup(other, "restore").err()).contains("CNPY-3008").contains("--resume");
      assertThat(backup(other, "create").err()).contains("CNPY-3008").contains("--resume");

      Files.write(file, good);
      CommandRun resumed = backup(other, "restore", "--resume");
      assertThat(resumed.exitCode()).as(resumed.err()).isZero();
      assertThat(content(other)).isEqualTo(before);
    }
  }

  @Test
  void aRestoreThatWasInterruptedIsDiscarded() throws IOException {
    fill();
    fillTable();
    created();
    byte[] good = Files.readAllBytes(last("data"));
    Files.write(last("data"), new byte[good.length]);
    try (TestServer other = new TestServer(EndpointLimits.DEFAULTS)) {
      other.node().index("own", Codec.string(), Codec.string());
      assertThat(backup(other, "restore").exitCode()).isEqualTo(1);
      CommandRun run = CommandRun.at(other.address(), "backup", "discard");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(other.node().indexes()).containsExactly("own");
      assertThat(CommandRun.at(other.address(), "backup", "discard").err()).contains("CNPY-3008");
      Files.delete(last("data"));
      assertThat(backup(other, "restore").err()).contains("CNPY-5006").contains("is missing");
      assertThat(other.node().indexes()).containsExactly("own");
    }
  }

  private Path last(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(backups()))) {
      return files
          .filter(file -> file.getParent().endsWith(folder))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(Path.of(backups()))) {
      all.filter(Files::isRegularFile)
          .forEach(file -> {
            try {
              files.put(file.toString(), Files.readAllBytes(file));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return files;
  }
}
