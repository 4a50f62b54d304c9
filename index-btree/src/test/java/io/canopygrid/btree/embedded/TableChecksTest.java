package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Codec;
import io.canopygrid.Covering;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.TableReport;
import io.canopygrid.TableReport.Depth;
import io.canopygrid.TableReport.Difference;
import io.canopygrid.TableReport.Kind;
import io.canopygrid.Tuple;
import io.canopygrid.engine.EngineView;
import io.canopygrid.wire.ByteWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A check finds each way in which the indexes of a table differ from its rows. */
@NullUnmarked // bodies return null
final class TableChecksTest {
  private static final int ROWS = 150;
  private static final Codec<Tuple> PAIRS = Codec.tuple(Codec.string(), Codec.int64());
  private static final Covering<String, String> LENGTH =
      Covering.of(Codec.string(), row -> Integer.toString(part(row, 0).length()));

  /** A row is a text like "red|r7": a colour, and a name that no other row has. */
  private static final IndexDefinition<String, String> COLOUR =
      IndexDefinition.<String, String>of("colour", Codec.string(), row -> part(row, 0))
          .covering(LENGTH);

  private static final IndexDefinition<String, String> NAME =
      IndexDefinition.<String, String>of("name", Codec.string(), row -> part(row, 1)).unique();

  private final TestGrid grid = TestGrid.network(2, 2, 12, 64);
  private final EmbeddedCanopy db = grid.handle(0);
  private final Damage damage = new Damage(db);
  private Table<Long, String> table;

  private static String part(String row, int i) {
    return row.split("\\|", -1)[i];
  }

  @BeforeEach
  void fill() {
    table = db.table("things", Codec.int64(), Codec.string(), List.of(COLOUR, NAME));
    table.createIndex(COLOUR);
    table.createIndex(NAME);
    db.run(tx -> {
      for (long key = 0; key < ROWS; key++) {
        tx.on(table).put(key, (key % 2 == 0 ? "red" : "blue") + "|r" + key);
      }
    });
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private void damageRow(Consumer<EngineView> how) {
    damage.in("things.rows", Codec.int64(), Codec.string(), how);
  }

  private void damageColours(Consumer<EngineView> how) {
    damage.in("things.index.1", PAIRS, Codec.bytes(), how);
  }

  private void damageNames(Consumer<EngineView> how) {
    damage.in("things.index.2", Codec.string(), Codec.bytes(), how);
  }

  private static byte[] key(long key) {
    return Codec.int64().encode(key);
  }

  private static byte[] text(String text) {
    return Codec.string().encode(text);
  }

  private static byte[] pair(String colour, long key) {
    return PAIRS.encode(Tuple.of(colour, key));
  }

  private static byte[] owned(long key) {
    return new ByteWriter(16).writeBytes(key(key)).writeBytes(new byte[0]).toBytes();
  }

  private void finds(Difference... expected) {
    TableReport check = table.check();
    assertThat(check.differences()).containsExactly(expected);
    assertThat(check.count()).isEqualTo(expected.length);
    assertThat(check.isFull()).isTrue();
    for (TableReport.IndexCheck index : check.indexes()) {
      for (Kind kind : Kind.values()) {
        assertThat(index.count(kind))
            .isEqualTo(
                List.of(expected).stream()
                    .filter(each -> each.index().equals(index.index()) && each.kind() == kind)
                    .count());
      }
    }
  }

  private static Difference difference(String index, Kind kind, String attribute, String key) {
    return new Difference(index, kind, attribute, key, "");
  }

  private void rebuilds() {
    table.rebuildIndex("colour");
    table.rebuildIndex("name");
    finds();
    assertThat(db.indexes()).hasSize(4);
  }

  @Test
  void aTableWithoutDamageHasNoDifference() {
    TableReport check = table.check(0);
    assertThat(check.rows()).isEqualTo(ROWS);
    assertThat(check.indexes())
        .containsExactly(
            new TableReport.IndexCheck("colour", IndexState.READY, Depth.FULL, ROWS, Map.of()),
            new TableReport.IndexCheck("name", IndexState.READY, Depth.FULL, ROWS, Map.of()));
    Errors.of(ErrorCode.INVALID_ARGUMENT, () -> table.check(-1));
  }

  @Test
  void aRowWithoutItsEntry() {
    damageColours(view -> view.remove(pair("blue", 141)));
    damageNames(view -> view.remove(text("r3")));
    finds(
        difference("name", Kind.MISSING, "r3", "3"),
        difference("colour", Kind.MISSING, "blue", "141"));
    rebuilds();
  }

  @Test
  void anEntryWithoutARow() {
    damageColours(view -> view.put(pair("green", 7_000), text("5")));
    damageNames(view -> view.put(text("zoe"), owned(7_000)));
    finds(
        difference("colour", Kind.ORPHAN, "green", "7000"),
        difference("name", Kind.ORPHAN, "zoe", "7000"));
    Errors.of(ErrorCode.UNIQUE_VIOLATION, () -> db.run(tx -> tx.on(table).put(1L, "blue|zoe")));
    rebuilds();
    db.run(tx -> tx.on(table).put(1L, "blue|zoe"));
  }

  @Test
  void aRowThatWasWrittenPastItsTable() {
    damageRow(view -> view.put(key(8), text("pink|new")));
    finds(
        difference("colour", Kind.MISSING, "pink", "8"),
        difference("name", Kind.MISSING, "new", "8"),
        difference("colour", Kind.STALE, "red", "8"),
        difference("name", Kind.STALE, "r8", "8"));
    rebuilds();
  }

  @Test
  void anEntryThatCoversSomethingElse() {
    damageColours(view -> view.put(pair("red", 70), text("99")));
    finds(difference("colour", Kind.COVERED, "red", "70"));
    rebuilds();
  }

  @Test
  void twoRowsWithOneAttributeOfAUniqueIndex() {
    damageRow(view -> view.put(key(140), text("red|r3")));
    finds(
        new Difference("name", Kind.DUPLICATE, "r3", "140", "3"),
        difference("name", Kind.STALE, "r140", "140"));
    Errors.of(ErrorCode.UNIQUE_VIOLATION, () -> table.rebuildIndex("name"));
    assertThat(table.index("name")).as("it is as it was").isEqualTo(IndexState.READY);
    assertThat(db.indexes()).hasSize(4);
    finds(
        new Difference("name", Kind.DUPLICATE, "r3", "140", "3"),
        difference("name", Kind.STALE, "r140", "140"));
    db.run(tx -> tx.on(table).remove(140L));
    rebuilds();
  }

  @Test
  void twoRowsWithOneAttributeWhoseEntryIsGone() {
    damageRow(view -> view.put(key(140), text("red|r3")));
    damageNames(view -> {
      view.remove(text("r3"));
      view.remove(text("r140"));
    });
    finds(
        difference("name", Kind.MISSING, "r3", "3"),
        new Difference("name", Kind.DUPLICATE, "r3", "140", "3"));
  }

  @Test
  void whatCannotBeRead() {
    damageRow(view -> view.put(key(9), text("blue")));
    damageNames(view -> view.put(text("odd"), new byte[] {5, 1}));
    TableReport check = table.check();
    assertThat(check.differences())
        .extracting(each -> each.index() + " " + each.kind() + " " + each.key())
        .containsExactlyInAnyOrder("name UNREADABLE 9", "name UNREADABLE ");
    assertThatThrownBy(() -> table.rebuildIndex("name"))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
    assertThat(table.index("name")).isEqualTo(IndexState.READY);
  }

  @Test
  void onlySoManyAreDescribedAndAllAreCounted() {
    damageColours(view -> {
      for (long key = 0; key < ROWS; key += 2) {
        view.remove(pair("red", key));
      }
    });
    TableReport check = table.check(3);
    assertThat(check.differences()).hasSize(3);
    assertThat(check.indexes().get(0).count(Kind.MISSING)).isEqualTo(ROWS / 2);
    assertThat(check.count()).isEqualTo(ROWS / 2);
  }

  @Test
  void whoDoesNotKnowTheDefinitionsChecksEntriesOnly() {
    Table<Long, String> unknown =
        grid.handle(1).table("things", Codec.int64(), Codec.string(), List.of());
    damageColours(view -> {
      view.put(pair("green", 7_000), text("5"));
      view.put(text("?"), text("5"));
      view.remove(pair("red", 4));
    });
    damageNames(view -> view.put(text("zoe"), owned(7_000)));
    TableReport check = unknown.check();
    assertThat(check.isFull()).isFalse();
    assertThat(check.indexes())
        .extracting(TableReport.IndexCheck::depth)
        .containsOnly(Depth.ENTRIES);
    assertThat(check.differences())
        .extracting(each -> each.kind() + " " + each.attribute() + " " + each.key())
        .containsExactly("UNREADABLE 0x3f ", "ORPHAN green 7000", "ORPHAN zoe 7000");
    Errors.of(ErrorCode.DEFINITION_MISMATCH, () -> unknown.rebuildIndex("colour"));
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> unknown.rebuildIndex("none"));
  }
}
