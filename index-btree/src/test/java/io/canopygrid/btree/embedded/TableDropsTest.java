package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A table and its secondary indexes are dropped, and nobody that is late creates them again. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class TableDropsTest {
  private static final int NODES = 3;
  private static final IndexOptions SMALL = IndexOptions.DEFAULTS.withSubtreeEntriesMax(8);
  private static final IndexDefinition<String, String> FIRST =
      IndexDefinition.of("first", Codec.string(), row -> row.substring(0, 1));

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  private List<Long> keys(int node, Table<Long, String> table, String first) {
    return grid.handle(node)
        .<List<Long>, RuntimeException>read(tx -> tx.on(table).by(FIRST).keys(first).toList());
  }

  private void round() {
    for (int i = 0; i < grid.size(); i++) {
      grid.handle(i).leftOfDrops().round();
    }
  }

  @Test
  void aTableGoesWithAllItsIndexes() {
    Table<Long, String> table =
        grid.handle(0).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    table.createIndex(FIRST);
    grid.handle(0).run(tx -> tx.on(table).put(1L, "Ada"));
    grid.handle(0).index("folks.other", Codec.int64(), Codec.string());
    Table<Long, String> there =
        grid.handle(1).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    for (String part : List.of("folks.rows", "folks.definitions", "folks.index.1")) {
      Errors.of(ErrorCode.PART_OF_TABLE, () -> grid.handle(0).dropIndex(part));
    }
    assertThat(grid.handle(0).indexes())
        .containsExactly("folks.definitions", "folks.index.1", "folks.other", "folks.rows");
    grid.handle(0).snapshot("before");
    assertThat(grid.handle(2).dropTable("folks")).isTrue();
    assertThat(grid.handle(2).dropTable("folks")).isFalse();
    assertThat(grid.handle(0).indexes()).containsExactly("folks.other");
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> grid.handle(1).run(tx -> tx.on(there).put(2L, "Bob")));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> grid.handle(0).read(tx -> tx.on(table).get(1L)));
    Errors.of(ErrorCode.UNKNOWN_INDEX, there::indexes);
    assertThat(grid.handle(0).indexes()).containsExactly("folks.other");
    readsOldTable(table, 0);
    Table<Long, String> again =
        grid.handle(1).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    again.createIndex(FIRST);
    grid.handle(1).run(tx -> tx.on(again).put(7L, "Zoe"));
    assertThat(keys(1, again, "Z")).containsExactly(7L);
    readsOldTable(again, 1);
  }

  private void readsOldTable(Table<Long, String> table, int node) {
    grid.handle(node)
        .read(
            TransactionOptions.DEFAULTS.at("before"),
            tx -> {
              assertThat(tx.on(table).get(1L)).isEqualTo("Ada");
              assertThat(tx.on(table).by(FIRST).keys("A").toList()).containsExactly(1L);
              assertThat(tx.on(table).by(FIRST).keys("Z").toList()).isEmpty();
              return null;
            });
  }

  /** All that were creating the table have died before they came to its other part. */
  @Test
  void aTableThatIsThereInPartIsDroppedOrCreatedToItsEnd() {
    for (boolean rows : List.of(true, false)) {
      createPart(rows);
      assertThat(grid.handle(1).dropTable("folks")).isTrue();
      assertThat(grid.handle(1).indexes()).isEmpty();
      createPart(rows);
      Table<Long, String> table =
          grid.handle(1).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
      assertThat(grid.handle(1).indexes()).containsExactly("folks.definitions", "folks.rows");
      table.createIndex(FIRST);
      grid.handle(1).run(tx -> tx.on(table).put(1L, "Ada"));
      assertThat(keys(1, table, "A")).containsExactly(1L);
      assertThat(grid.handle(2).dropTable("folks")).isTrue();
    }
  }

  private void createPart(boolean rows) {
    EmbeddedCanopy db = grid.handle(0);
    if (rows) {
      db.served().open("folks.rows", Codec.int64().id(), Codec.string().id(), SMALL);
      Errors.of(
          ErrorCode.PART_OF_TABLE,
          () -> db.index("folks.definitions", Codec.string(), Codec.bytes()));
    } else {
      db.served().open("folks.definitions", Codec.string().id(), Codec.bytes().id(), SMALL);
      Errors.of(
          ErrorCode.PART_OF_TABLE, () -> db.index("folks.rows", Codec.int64(), Codec.string()));
    }
  }

  @Test
  void aDroppedSecondaryIndexIsReadInSnapshotsFromBeforeAndNeverCreatedByReaders() {
    Table<Long, String> table =
        grid.handle(0).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    table.createIndex(FIRST);
    grid.handle(0).run(tx -> tx.on(table).put(1L, "Ada"));
    grid.handle(0).snapshot("before");
    assertThat(table.dropIndex("first")).isTrue();
    assertThat(grid.handle(0).indexes()).containsExactly("folks.definitions", "folks.rows");
    for (int i = 0; i < 3; i++) {
      round();
    }
    for (int node = 0; node < NODES; node++) {
      readsOldTable(
          grid.handle(node).table("folks", Codec.int64(), Codec.string(), List.of(FIRST)), node);
    }
    assertThat(grid.handle(0).indexes()).containsExactly("folks.definitions", "folks.rows");
    table.createIndex(FIRST);
    grid.handle(0).run(tx -> tx.on(table).put(2L, "Zoe"));
    readsOldTable(table, 0);
    assertThat(keys(0, table, "Z")).containsExactly(2L);
  }

  @Test
  void aBuildThatFailsDoesNotDropWhatAnotherOneHasBuilt() {
    Table<Long, String> table = grid.handle(0).table("folks", Codec.int64(), Codec.string());
    grid.handle(0).run(tx -> tx.on(table).put(1L, "Ada"));
    Table<Long, String> there = grid.handle(1).table("folks", Codec.int64(), Codec.string());
    AtomicBoolean overtaken = new AtomicBoolean();
    IndexDefinition<String, String> failing =
        IndexDefinition.of(
            "first",
            Codec.string(),
            row -> {
              if (overtaken.compareAndSet(false, true)) {
                Workers.elsewhere(() -> there.createIndex(FIRST));
              }
              throw new IllegalStateException("this build fails");
            });
    table.createIndex(failing);
    assertThat(overtaken).isTrue();
    assertThat(there.index("first")).isEqualTo(IndexState.READY);
    assertThat(keys(1, there, "A")).containsExactly(1L);
    assertThat(there.dropIndex("first")).isTrue();
    assertThat(grid.handle(0).indexes()).containsExactly("folks.definitions", "folks.rows");
  }

  @Test
  void aWriterOfATableWhoseIndexWasDroppedRunsAgainAndIsToldWhichIndexItWas() {
    Table<Long, String> table =
        grid.handle(0).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    table.createIndex(FIRST);
    int number = grid.handle(0).served().find("folks.index.1").number();
    Transaction late = grid.handle(0).begin();
    late.on(table).put(1L, "Ada");
    assertThat(grid.handle(1).served().dropIndex("folks.index.1", number)).isTrue();
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(late::commit)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.WRITE_CONFLICT))
        .satisfies(e -> assertThat(e.facts()).containsEntry("number", Integer.toString(number)));
  }

  @Test
  void aWriterThatIsLateCreatesNothingUnderANewTable() {
    grid.handle(0).table("folks", Codec.int64(), Codec.string());
    grid.handle(1).dropTable("folks");
    Table<Long, String> again = grid.handle(1).table("folks", Codec.int64(), Codec.string());
    // A writer of the first table, to which its first index was being built, of other keys.
    Errors.of(
        ErrorCode.UNKNOWN_INDEX,
        () ->
            grid.handle(2)
                .served()
                .open("folks.index.1", "tuple(int64,int64)", "bytes", IndexOptions.DEFAULTS));
    assertThat(grid.handle(0).indexes()).containsExactly("folks.definitions", "folks.rows");
    again.createIndex(FIRST);
    grid.handle(1).run(tx -> tx.on(again).put(7L, "Zoe"));
    assertThat(keys(1, again, "Z")).containsExactly(7L);
  }

  @Test
  void aWriterThatIsLateDoesNotCreateTheEntriesAgain() {
    Table<Long, String> table =
        grid.handle(0).table("folks", Codec.int64(), Codec.string(), List.of(FIRST));
    table.createIndex(FIRST);
    Transaction late = grid.handle(0).begin();
    assertThat(late.on(table).get(1L)).isNull();
    Table<Long, String> there = grid.handle(1).table("folks", Codec.int64(), Codec.string());
    assertThat(there.dropIndex("first")).isTrue();
    round();
    round();
    // A writer asks for the entries where the index is being built in its snapshot.
    for (String name : List.of("folks.index.1", "none.index.1")) {
      Errors.of(
          ErrorCode.UNKNOWN_INDEX,
          () -> grid.handle(2).served().open(name, "bytes", "bytes", SMALL));
    }
    late.close();
    assertThat(grid.handle(0).indexes()).containsExactly("folks.definitions", "folks.rows");
  }
}
