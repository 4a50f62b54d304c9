package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Covering;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexEntry;
import io.canopygrid.IndexState;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TableReport;
import io.canopygrid.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Tables and their indexes. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class TablesContract extends Theme {
  /** A person as text, "last,first,city,tag tag", with an empty city for none. */
  private static String part(String row, int i) {
    return row.split(",", -1)[i];
  }

  private static final IndexDefinition<String, String> CITY =
      IndexDefinition.of(
          "city", Codec.string(), row -> part(row, 2).isEmpty() ? null : part(row, 2));
  private static final IndexDefinition<String, Tuple> NAME =
      IndexDefinition.<String, Tuple>of(
              "name",
              Codec.tuple(Codec.string(), Codec.string()),
              row -> Tuple.of(part(row, 0), part(row, 1)))
          .unique();
  private static final Covering<String, String> FIRST_NAME =
      Covering.of(Codec.string(), row -> part(row, 1));
  private static final IndexDefinition<String, String> TAGS =
      IndexDefinition.<String, String>ofMany(
              "tags", Codec.string(), row -> Arrays.asList(part(row, 3).split(" ")))
          .where(row -> !part(row, 3).isEmpty())
          .covering(FIRST_NAME);

  private final Table<Long, String> people =
      db.table(name + "-people", Codec.int64(), Codec.string(), List.of(CITY, NAME, TAGS));

  TablesContract(ContractGrid grid) {
    super(grid);
  }

  private void people() {
    people.createIndex(CITY);
    people.createIndex(NAME);
    people.createIndex(TAGS);
    db.run(tx -> {
      tx.on(people).insert(1L, "Lovelace,Ada,London,maths poems");
      tx.on(people).insert(2L, "Hopper,Grace,New York,code");
      tx.on(people).insert(3L, "Turing,Alan,London,code maths");
    });
  }

  private List<Long> inCity(String city) {
    return db.<List<Long>, RuntimeException>read(tx -> tx.on(people).by(CITY).keys(city).toList());
  }

  @Test
  void rowsAreFoundByTheirIndexes() {
    people();
    assertThat(inCity("London")).containsExactly(1L, 3L);
    assertThat(inCity("Paris")).isEmpty();
    db.read(tx -> {
      assertThat(tx.on(people).by(NAME).rows(Tuple.of("Hopper", "Grace")).toList())
          .containsExactly(Map.entry(2L, "Hopper,Grace,New York,code"));
      assertThat(tx.on(people).by(TAGS).keys("maths").toList()).containsExactly(1L, 3L);
      assertThat(
              tx.on(people)
                  .by(TAGS)
                  .scan(Range.closed("code", "maths"))
                  .map(e -> e.covered(FIRST_NAME))
                  .toList())
          .containsExactly("Grace", "Alan", "Ada", "Alan");
      try (var entries = tx.on(people).by(CITY).scan(Range.all())) {
        IndexEntry<String, Long> first = entries.findFirst().orElseThrow();
        assertThatThrownBy(() -> first.covered(FIRST_NAME))
            .isInstanceOf(CanopyException.class)
            .hasMessageContaining("covers nothing");
      }
      assertThat(tx.on(people).by(TAGS).scan(Range.greaterThan("code")).map(IndexEntry::attribute))
          .containsExactly("maths", "maths", "poems");
      assertThat(tx.on(people).by(CITY).count(Range.lessThan("New York"))).isEqualTo(2);
      assertThat(tx.on(people).by(CITY).count(Range.all())).isEqualTo(3);
      assertThat(tx.on(people).count(Range.all())).isEqualTo(3);
      assertThat(tx.on(people).containsKey(4L)).isFalse();
      return null;
    });
  }

  @Test
  void indexesChangeWithTheirRows() {
    people();
    db.run(tx -> {
      tx.on(people).put(1L, "Lovelace,Ada,Ockham,");
      assertThat(tx.on(people).by(CITY).keys("Ockham").toList()).containsExactly(1L);
      assertThat(tx.on(people).remove(3L)).isTrue();
      assertThat(tx.on(people).remove(4L)).isFalse();
      tx.on(people).put(5L, "Noether,Emmy,,maths");
    });
    assertThat(inCity("London")).isEmpty();
    assertThat(inCity("Ockham")).containsExactly(1L);
    db.read(tx -> {
      assertThat(tx.on(people).get(1L)).isEqualTo("Lovelace,Ada,Ockham,");
      assertThat(tx.on(people).by(CITY).count(Range.all())).isEqualTo(2);
      assertThat(tx.on(people).by(TAGS).keys("maths").toList()).containsExactly(5L);
      try (var rows = tx.on(people).scan(Range.all())) {
        assertThat(rows.keys().toList()).containsExactly(1L, 2L, 5L);
      }
      return null;
    });
  }

  @Test
  void aUniqueIndexHasOneRowForEachAttribute() {
    people();
    CanopyException e =
        refused(
            ErrorCode.UNIQUE_VIOLATION,
            () -> db.run(tx -> tx.on(people).put(9L, "Turing,Alan,Leeds,")));
    assertThat(e.facts()).containsEntry("index", "name");
    refused(ErrorCode.KEY_EXISTS, () -> db.run(tx -> tx.on(people).insert(1L, "A,B,,")));
    assertThat(e.facts()).containsEntry("key", "3");
    assertThat(e).hasMessageContaining("that of key 3").hasMessageNotContaining("putIfAbsent");
    db.run(tx -> {
      tx.on(people).remove(3L);
      tx.on(people).put(9L, "Turing,Alan,Leeds,");
    });
    assertThat(inCity("Leeds")).containsExactly(9L);
  }

  @Test
  void anIndexOfAFilledTableIsBuiltAndDropped() {
    db.run(tx -> {
      for (long key = 0; key < 150; key++) {
        tx.on(people).put(key, "L,F" + key + ",City" + key % 3 + ",");
      }
    });
    refused(ErrorCode.UNKNOWN_INDEX, () -> inCity("City1"));
    refused(ErrorCode.UNKNOWN_INDEX, () -> people.index("city"));
    IndexDefinition<String, String> byFirst =
        people.createIndex("first", Codec.string(), row -> part(row, 1));
    people.createIndex(CITY);
    people.createIndex(CITY);
    assertThat(inCity("City1")).hasSize(50);
    db.read(tx -> {
      assertThat(tx.on(people).by(byFirst).keys("F77").toList()).containsExactly(77L);
      return null;
    });
    assertThat(people.index("city")).isEqualTo(IndexState.READY);
    assertThat(people.indexes()).containsOnlyKeys("city", "first");
    IndexDefinition<String, String> last =
        IndexDefinition.<String, String>of("last", Codec.string(), row -> part(row, 0)).unique();
    refused(ErrorCode.UNIQUE_VIOLATION, () -> people.createIndex(last));
    assertThat(people.indexes()).containsOnlyKeys("city", "first");
    assertThat(people.dropIndex("city")).isTrue();
    assertThat(people.dropIndex("city")).isFalse();
    refused(ErrorCode.UNKNOWN_INDEX, () -> inCity("City1"));
  }

  @Test
  void aWriterWhoMissesAnIndexRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    db.run(tx -> {
      tx.on(people).put(1L, "L,F,London,");
      if (runs.incrementAndGet() == 1) {
        CompletableFuture.runAsync(() -> people.createIndex(CITY)).join();
      }
    });
    assertThat(runs).hasValue(2);
    assertThat(inCity("London")).containsExactly(1L);
  }

  @Test
  void whatIsNotReadyIsNotRead() {
    db.run(tx -> tx.on(people).put(1L, "L,F,London,"));
    IndexDefinition<String, String> dying =
        IndexDefinition.of(
            "city",
            Codec.string(),
            row -> {
              throw new AssertionError("the builder dies");
            });
    Table<Long, String> again = db.table(people.name(), Codec.int64(), Codec.string());
    assertThatThrownBy(() -> again.createIndex(dying)).isInstanceOf(AssertionError.class);
    refused(ErrorCode.INDEX_NOT_READY, () -> inCity("London"));
    people.createIndex(CITY);
    assertThat(inCity("London")).containsExactly(1L);
  }

  @Test
  void definitionsAreKeptInTheGrid() {
    people();
    Table<Long, String> old = other.table(people.name(), Codec.int64(), Codec.string(), List.of());
    assertThat(old.indexes()).containsOnlyKeys("city", "name", "tags");
    assertThat(old.keyCodec().id() + old.rowCodec().id()).isEqualTo("int64string");
    refused(ErrorCode.DEFINITION_MISMATCH, () -> other.run(tx -> tx.on(old).put(1L, "A,B,C,d")));
    refused(
        ErrorCode.DEFINITION_MISMATCH,
        () -> other.table(people.name(), Codec.int64(), Codec.string(), List.of(CITY.revision(2))));
    refused(
        ErrorCode.CODEC_MISMATCH, () -> other.table(people.name(), Codec.string(), Codec.string()));
    Table<Long, String> same =
        other.table(people.name(), Codec.int64(), Codec.string(), List.of(CITY, NAME, TAGS));
    other.run(tx -> tx.on(same).put(7L, "Curie,Marie,Paris,"));
    refused(ErrorCode.FOREIGN_INDEX, () -> db.run(tx -> tx.on(same).get(7L)));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> people.createIndex(null));
  }

  @Test
  void indexesAreCheckedAndRebuilt() {
    people();
    TableReport check = people.check();
    assertThat(check.rows()).isPositive();
    assertThat(check.count()).isZero();
    assertThat(check.isFull()).isTrue();
    assertThat(check.indexes())
        .extracting(TableReport.IndexCheck::index)
        .containsExactly("city", "name", "tags");
    for (String index : List.of("city", "name", "tags")) {
      people.rebuildIndex(index);
    }
    assertThat(people.check()).isEqualTo(check);
    refused(ErrorCode.UNKNOWN_INDEX, () -> people.rebuildIndex("none"));
    Table<Long, String> old = other.table(people.name(), Codec.int64(), Codec.string(), List.of());
    refused(ErrorCode.DEFINITION_MISMATCH, () -> old.rebuildIndex("city"));
    assertThat(old.check().indexes())
        .extracting(TableReport.IndexCheck::depth)
        .containsOnly(TableReport.Depth.ENTRIES);
    refused(ErrorCode.INVALID_ARGUMENT, () -> people.check(-1));
  }
}
