package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Table;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Indexes and tables are listed and dropped at the command line. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DropCommandsTest {
  private static final IndexDefinition<String, String> CITY =
      IndexDefinition.of("city", Codec.string(), row -> row);

  private TestServer server;
  private EmbeddedCanopy node;

  @BeforeEach
  void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
    node = server.node();
    Index<Long, String> visits = node.index("visits", Codec.int64(), Codec.string());
    node.run(tx -> tx.on(visits).put(1L, "one"));
    Table<Long, String> people = node.table("people", Codec.int64(), Codec.string(), List.of(CITY));
    people.createIndex(CITY);
    node.run(tx -> tx.on(people).put(1L, "Bath"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun canopy(String... words) {
    return CommandRun.at(server.address().toString(), words);
  }

  private static void failed(CommandRun run, int exitCode, String why) {
    assertThat(run.err()).contains(why);
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  private static void silent(CommandRun run) {
    assertThat(run).isEqualTo(new CommandRun(0, "", ""));
  }

  @Test
  void anIndexIsDroppedByWhoeverSaysYes() {
    failed(canopy("index", "drop", "visits"), 2, "there is no terminal to ask at: give --yes");
    assertThat(node.indexes()).contains("visits");
    silent(canopy("index", "drop", "visits", "--yes"));
    assertThat(node.indexes()).doesNotContain("visits");
    failed(canopy("index", "drop", "visits", "--yes"), 1, "CNPY-3006 UNKNOWN_INDEX");
    failed(canopy("index", "drop", "people.rows", "--yes"), 1, "CNPY-3021 PART_OF_TABLE");
    assertThat(node.indexes()).contains("people.rows", "people.index.1");
  }

  @Test
  void aSecondaryIndexIsDroppedWithoutItsDefinition() {
    failed(canopy("index", "drop", "people.town"), 1, "CNPY-3006 UNKNOWN_INDEX");
    silent(canopy("index", "drop", "people.city"));
    assertThat(node.indexes()).containsExactly("people.definitions", "people.rows", "visits");
    Table<Long, String> people = node.table("people", Codec.int64(), Codec.string());
    node.run(tx -> tx.on(people).put(2L, "York"));
  }

  @Test
  void aNameThatMeansTwoThingsIsNotDropped() {
    node.index("people.city", Codec.int64(), Codec.int64());
    failed(canopy("index", "drop", "people.city", "--yes"), 1, "CNPY-3008 INVALID_ARGUMENT");
    assertThat(node.indexes()).contains("people.city", "people.index.1");
  }

  @Test
  void tablesAreListedDescribedAndDropped() {
    assertThat(canopy("table", "list", "-o", "json").out())
        .isEqualToNormalizingNewlines(
            "{\"table\":\"people\",\"keys\":\"int64\",\"rows\":\"string\",\"indexes\":1}\n");
    assertThat(canopy("table", "describe", "people", "-o", "json").out())
        .isEqualToNormalizingNewlines("{\"index\":\"city\",\"state\":\"READY\"}\n");
    failed(canopy("table", "describe", "visits"), 1, "CNPY-3006 UNKNOWN_INDEX");
    failed(canopy("table", "drop", "people"), 2, "there is no terminal to ask at: give --yes");
    silent(canopy("table", "drop", "people", "--yes"));
    assertThat(node.indexes()).containsExactly("visits");
    failed(canopy("table", "drop", "people", "--yes"), 1, "there is no table 'people'");
    assertThat(canopy("table", "list").out()).isEmpty();
    assertThat(node.indexes()).as("no command creates one").containsExactly("visits");
  }

  @Test
  void theShellDropsToo() {
    failed(canopy("shell", "-e", "drop-index people.rows"), 1, "CNPY-3021 PART_OF_TABLE");
    CommandRun run =
        canopy(
            "shell",
            "-e",
            "get visits 1; drop-index visits; create visits int64 int64; put visits 1 7;"
                + " get visits 1; drop-table people; indexes");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("one").contains("7").doesNotContain("people");
    failed(canopy("shell", "-e", "drop-table people"), 1, "there is no table 'people'");
    failed(canopy("shell", "-e", "drop-index none"), 1, "there is no index 'none'");
  }
}
