package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Table;
import io.canopygrid.Tuple;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables are checked at the command line, and not loaded past their indexes. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TableCheckCommandTest {
  private static final Codec<Tuple> PAIRS = Codec.tuple(Codec.string(), Codec.int64());
  private static final IndexDefinition<String, String> CITY =
      IndexDefinition.of("city", Codec.string(), row -> row);
  private static final IndexDefinition<String, String> UNIQUE =
      IndexDefinition.<String, String>of("unique", Codec.string(), row -> row).unique();

  @TempDir private Path directory;
  private TestServer server;
  private EmbeddedCanopy node;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
    node = server.node();
    Table<Long, String> people =
        node.table("people", Codec.int64(), Codec.string(), List.of(CITY, UNIQUE));
    people.createIndex(CITY);
    people.createIndex(UNIQUE);
    node.run(tx -> tx.on(people).put(1L, "Bath"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun canopy(String... words) {
    return CommandRun.at(server.address().toString(), words);
  }

  private void putPastTheTable(String city, long key) {
    Index<Tuple, byte[]> index = node.index("people.index.1", PAIRS, Codec.bytes());
    node.run(tx ->
        ((OpenTransaction) tx)
            .engine()
            .on(((TypedIndex<Tuple, byte[]>) index).opened())
            .put(PAIRS.encode(Tuple.of(city, key)), new byte[0]));
  }

  @Test
  void aTableWithoutDifferences() {
    CommandRun run = canopy("table", "check", "people", "-o", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualToNormalizingNewlines(
            """
            {"index":"city","state":"READY","checked":"ENTRIES","entries":1,"orphans":0,"unreadable":0}
            {"index":"unique","state":"READY","checked":"ENTRIES","entries":1,"orphans":0,"unreadable":0}
            """);
  }

  @Test
  void differencesHaveAnExitCodeOfTheirOwn() {
    putPastTheTable("Rome", 7);
    putPastTheTable("York", 8);
    CommandRun run = canopy("table", "check", "people", "--show", "1", "-o", "json");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out())
        .contains("\"entries\":3,\"orphans\":2")
        .contains(
            "{\"index\":\"city\",\"difference\":\"ORPHAN\",\"attribute\":\"Rome\",\"key\":\"7\","
                + "\"detail\":\"\"}")
        .doesNotContain("York");
    CommandRun table = canopy("table", "check", "people");
    assertThat(table.exitCode()).isEqualTo(3);
    assertThat(table.out()).contains("difference").contains("York");
  }

  @Test
  void whatCannotBeCheckedIsRefused() {
    assertThat(canopy("table", "check", "none").err()).contains("CNPY-3006 UNKNOWN_INDEX");
    CommandRun wrong = canopy("table", "check", "people", "--show", "-1");
    assertThat(wrong.err()).contains("--show is 0 to 10000");
    assertThat(wrong.exitCode()).isEqualTo(2);
  }

  @Test
  void aTableIsNotLoadedPastItsIndexes() throws IOException {
    Path file = Files.writeString(directory.resolve("people.csv"), "key,value\n2,York\n");
    for (String name : List.of("people", "people.rows", "people.index.1")) {
      CommandRun run =
          canopy("load", file.toString(), "--index", name, "--keys", "int64", "--values", "string");
      assertThat(run.err()).contains("CNPY-3021 PART_OF_TABLE");
      assertThat(run.exitCode()).isEqualTo(1);
    }
    assertThat(canopy("load", file.toString(), "--index", "people").err())
        .contains("'people' is a table with index 'city': load its rows in a program");
    assertThat(node.indexes())
        .containsExactly("people.definitions", "people.index.1", "people.index.2", "people.rows");
    node.index("people", Codec.int64(), Codec.string());
    assertThat(canopy("load", file.toString(), "--index", "people").exitCode()).isZero();
  }

  @Test
  void aTableWithoutIndexesIsLoadedAndIndexedLater() throws IOException {
    Table<Long, String> towns = node.table("towns", Codec.int64(), Codec.string());
    Path file = Files.writeString(directory.resolve("towns.csv"), "key,value\n2,York\n1,Bath\n");
    CommandRun run = canopy("load", file.toString(), "--index", "towns", "-o", "json");
    assertThat(run.err()).doesNotContain("CNPY");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("\"records\":2", "\"loaded\":0");
    towns.createIndex(CITY);
    assertThat(node.<String, RuntimeException>read(tx -> tx.on(towns).get(2L))).isEqualTo("York");
    assertThat(towns.check().count()).isZero();
    CommandRun indexed = canopy("load", file.toString(), "--index", "towns");
    assertThat(indexed.err()).contains("CNPY-3021 PART_OF_TABLE", "index 'city'");
    assertThat(canopy("index", "drop", "towns.city").exitCode()).isZero();
    assertThat(canopy("load", file.toString(), "--index", "towns").exitCode()).isZero();
  }

  @Test
  void aTableOfOtherCodecsIsNotLoaded() throws IOException {
    node.table("towns", Codec.int64(), Codec.string());
    Path file = Files.writeString(directory.resolve("towns.csv"), "key,value\n2,York\n");
    CommandRun run =
        canopy(
            "load", file.toString(), "--index", "towns", "--keys", "int32", "--values", "string");
    assertThat(run.err()).contains("CNPY-");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
