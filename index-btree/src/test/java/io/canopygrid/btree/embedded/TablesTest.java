package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Codec;
import io.canopygrid.Covering;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes of tables agree with the rows, also while they are built and dropped. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class TablesTest {
  private static final int NODES = 3;
  private static final int KEYS = 300;

  /** A row is a text like "red|7": a colour and a number. */
  private static String colour(String row) {
    return row.substring(0, row.indexOf('|'));
  }

  private static long number(String row) {
    return Long.parseLong(row.substring(row.indexOf('|') + 1));
  }

  private static final IndexDefinition<String, String> COLOUR =
      IndexDefinition.of("colour", Codec.string(), TablesTest::colour);
  private static final IndexDefinition<String, Long> NUMBER =
      IndexDefinition.of("number", Codec.int64(), TablesTest::number);
  private static final Covering<String, String> WHOLE_ROW = Covering.of(Codec.string(), row -> row);
  private static final IndexDefinition<String, Tuple> BOTH =
      IndexDefinition.<String, Tuple>of(
              "both",
              Codec.tuple(Codec.string(), Codec.int64()),
              row -> Tuple.of(colour(row), number(row)))
          .covering(WHOLE_ROW)
          .where(row -> number(row) % 2 == 0);
  private static final IndexDefinition<String, String> LETTERS =
      IndexDefinition.ofMany("letters", Codec.string(), row -> List.of(colour(row).split("")));
  private static final List<IndexDefinition<String, ?>> ALL =
      List.of(COLOUR, NUMBER, BOTH, LETTERS);
  private static final List<String> COLOURS = List.of("red", "green", "blue");

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  private Table<Long, String> table(int node) {
    return grid.handle(node).table("things", Codec.int64(), Codec.string(), ALL);
  }

  /** Writes at random until it is told to stop. */
  private CompletableFuture<Void> writer(int node, long seed, AtomicBoolean stop, AtomicInteger n) {
    return RowWriter.start(
        grid.handle(node),
        table(node),
        seed,
        KEYS,
        (random, key) -> COLOURS.get(random.nextInt(3)) + "|" + random.nextInt(50),
        stop,
        n);
  }

  /** Reads all in one snapshot: each index has what follows from the rows. */
  private void checkIndexes(long seed) {
    Table<Long, String> table = table(1);
    grid.handle(1)
        .read(
            TransactionOptions.DEFAULTS.withAfter(grid.handle(0).token()),
            tx -> {
              TreeMap<Long, String> rows = new TreeMap<>();
              try (Cursor<Long, String> all = tx.on(table).scan(Range.all())) {
                all.forEach(row -> rows.put(row.getKey(), row.getValue()));
              }
              for (IndexDefinition<String, ?> definition : ALL) {
                assertThat(found(tx.on(table), definition))
                    .as("seed %d, index %s", seed, definition.name())
                    .isEqualTo(expected(rows, definition));
              }
              return null;
            });
  }

  private static <A> Set<String> found(
      TableReadView<Long, String> table, IndexDefinition<String, A> definition) {
    Set<String> found = new TreeSet<>();
    try (var entries = table.by(definition).scan(Range.all())) {
      entries.forEach(e -> {
        String covered = definition.name().equals(BOTH.name()) ? e.covered(WHOLE_ROW) : "";
        assertThat(found.add(e.attribute() + "/" + e.key() + "/" + covered)).isTrue();
      });
    }
    return found;
  }

  private static Set<String> expected(
      Map<Long, String> rows, IndexDefinition<String, ?> definition) {
    Set<String> expected = new TreeSet<>();
    rows.forEach((key, row) ->
        definition
            .attributesOf(row)
            .forEach(attribute ->
                expected.add(
                    attribute
                        + "/"
                        + key
                        + "/"
                        + (definition.name().equals(BOTH.name()) ? row : ""))));
    return expected;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void anIndexThatIsBuiltAndDroppedBesideWritersAgreesWithTheRows(long seed) {
    Table<Long, String> table = table(0);
    grid.handle(0)
        .run(tx -> {
          for (long key = 0; key < KEYS; key++) {
            tx.on(table).put(key, "red|" + key % 7);
          }
        });
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      writers.add(writer(i, seed * 100 + i, stop, written));
    }
    try {
      ALL.forEach(table::createIndex);
      checkIndexes(seed);
      assertThat(table.dropIndex("colour")).isTrue();
      assertThat(table.dropIndex("colour")).isFalse();
      table.createIndex(COLOUR);
      int before = written.get();
      while (written.get() < before + 50) {
        Thread.onSpinWait();
      }
    } finally {
      stop.set(true);
      writers.forEach(CompletableFuture::join);
    }
    checkIndexes(seed);
    assertThat(table.indexes()).hasSize(ALL.size()).containsEntry("colour", IndexState.READY);
  }

  @Test
  void whereABuilderDiesAnotherOneGoesOn() {
    AtomicInteger seen = new AtomicInteger();
    IndexDefinition<String, String> dying =
        IndexDefinition.of(
            "colour",
            Codec.string(),
            row -> {
              if (seen.incrementAndGet() > 200) {
                throw new AssertionError("the builder dies");
              }
              return colour(row);
            });
    Table<Long, String> first =
        grid.handle(0).table("things", Codec.int64(), Codec.string(), List.of());
    grid.handle(0)
        .run(tx -> {
          for (long key = 0; key < KEYS; key++) {
            tx.on(first).put(key, "red|" + key);
          }
        });
    assertThatThrownBy(() -> first.createIndex(dying)).isInstanceOf(AssertionError.class);
    assertThat(first.index("colour")).isEqualTo(IndexState.BUILDING);
    Table<Long, String> second = table(1);
    Errors.of(
        ErrorCode.INDEX_NOT_READY,
        () ->
            grid.handle(1)
                .read(
                    TransactionOptions.DEFAULTS.withAfter(grid.handle(0).token()),
                    tx -> tx.on(second).by(COLOUR).count(Range.all())));
    grid.handle(1).run(tx -> tx.on(second).put(1L, "blue|1"));

    AtomicInteger rest = new AtomicInteger();
    IndexDefinition<String, String> counting =
        IndexDefinition.of(
            "colour",
            Codec.string(),
            row -> {
              rest.incrementAndGet();
              return colour(row);
            });
    Table<Long, String> third =
        grid.handle(2).table("things", Codec.int64(), Codec.string(), List.of(counting));
    third.createIndex(counting);
    assertThat(rest.get()).as("batches that were done are not done again").isLessThan(KEYS / 2);
    assertThat(
            grid.handle(2)
                .<Long, RuntimeException>read(tx -> tx.on(third).by(counting).count(Range.all())))
        .isEqualTo(KEYS);
  }

  /** Of two rows with one attribute one has the entry, and the other one none. */
  @Test
  void anIndexThatIsHalfBuiltKeepsNoRowFromBeingChanged() {
    AtomicInteger seen = new AtomicInteger();
    IndexDefinition<String, Long> dying =
        IndexDefinition.<String, Long>of(
                "one",
                Codec.int64(),
                row -> {
                  if (seen.incrementAndGet() > 100) {
                    throw new AssertionError("the builder dies");
                  }
                  return number(row);
                })
            .unique()
            .covering(WHOLE_ROW);
    IndexDefinition<String, Long> one =
        IndexDefinition.<String, Long>of("one", Codec.int64(), TablesTest::number)
            .unique()
            .covering(WHOLE_ROW);
    Table<Long, String> first =
        grid.handle(0).table("things", Codec.int64(), Codec.string(), List.of());
    grid.handle(0)
        .run(tx -> {
          for (long key = 0; key < KEYS; key++) {
            tx.on(first).put(key, "red|" + (key == KEYS - 1 ? 1 : key));
          }
        });
    assertThatThrownBy(() -> first.createIndex(dying)).isInstanceOf(AssertionError.class);

    Table<Long, String> second =
        grid.handle(1).table("things", Codec.int64(), Codec.string(), List.of(one));
    grid.handle(1).run(tx -> tx.on(second).put(KEYS - 1L, "blue|1"));
    grid.handle(1).run(tx -> tx.on(second).put(1L, "green|1"));
    assertThat(grid.handle(1).<String, RuntimeException>read(tx -> tx.on(second).get(KEYS - 1L)))
        .isEqualTo("blue|1");
    Errors.of(ErrorCode.UNIQUE_VIOLATION, () -> second.createIndex(one));
    assertThat(second.indexes()).isEmpty();
    grid.handle(1).run(tx -> tx.on(second).put(KEYS - 1L, "blue|" + KEYS));
    second.createIndex(one);
    List<String> covered =
        grid.handle(1)
            .<List<String>, RuntimeException>read(tx ->
                tx.on(second)
                    .by(one)
                    .scan(Range.closed(1L, 1L))
                    .map(e -> e.covered(WHOLE_ROW))
                    .toList());
    assertThat(covered).containsExactly("green|1");
  }

  /** While a build holds on to what it saw, the row is changed and another call gets through. */
  @Test
  void aBuildThatFailsDropsNoIndexThatAnotherOneHasCompleted() {
    IndexDefinition<String, Long> unique =
        IndexDefinition.<String, Long>of("unique", Codec.int64(), TablesTest::number).unique();
    EmbeddedCanopy other = grid.handle(1);
    Table<Long, String> theirs =
        other.table("things", Codec.int64(), Codec.string(), List.of(unique));
    other.run(tx -> {
      tx.on(theirs).put(1L, "red|7");
      tx.on(theirs).put(2L, "green|7");
    });
    AtomicBoolean changed = new AtomicBoolean();
    IndexDefinition<String, Long> slow =
        IndexDefinition.<String, Long>of(
                "unique",
                Codec.int64(),
                row -> {
                  if (row.equals("green|7") && changed.compareAndSet(false, true)) {
                    other.run(tx -> tx.on(theirs).put(2L, "green|8"));
                    theirs.createIndex(unique);
                  }
                  return number(row);
                })
            .unique();

    table(0).createIndex(slow);

    assertThat(changed).isTrue();
    assertThat(theirs.index("unique")).isEqualTo(IndexState.READY);
    List<Long> eights = other.read(tx -> tx.on(theirs).by(unique).keys(8L).toList());
    assertThat(eights).containsExactly(2L);
  }

  @Test
  void whoDoesNotKnowAnIndexCannotWritePastIt() {
    Table<Long, String> knows = table(0);
    Table<Long, String> old =
        grid.handle(1).table("things", Codec.int64(), Codec.string(), List.of());
    grid.handle(1).run(tx -> tx.on(old).put(1L, "red|1"));
    knows.createIndex(COLOUR);
    Errors.of(
        ErrorCode.DEFINITION_MISMATCH, () -> grid.handle(1).run(tx -> tx.on(old).put(2L, "red|2")));
    Errors.of(
        ErrorCode.DEFINITION_MISMATCH,
        () ->
            grid.handle(1)
                .table(
                    "things",
                    Codec.int64(),
                    Codec.string(),
                    List.of(IndexDefinition.of("colour", Codec.int64(), TablesTest::number))));
    old.createIndex(COLOUR);
    grid.handle(1).run(tx -> tx.on(old).put(2L, "red|2"));
    assertThat(
            grid.handle(1)
                .<List<Long>, RuntimeException>read(
                    tx -> tx.on(old).by(COLOUR).keys("red").toList()))
        .containsExactly(1L, 2L);
  }
}
