package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TableReport;
import io.canopygrid.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Indexes are made anew beside writers, and nobody reads one that is wrong meanwhile. */
@NullUnmarked // bodies return null
final class TableRebuildsTest {
  private static final int NODES = 3;
  private static final long ROWS = 300;
  private static final IndexDefinition<String, String> VALUE =
      IndexDefinition.of("value", Codec.string(), row -> row);
  private static final IndexDefinition<String, String> UNIQUE =
      IndexDefinition.<String, String>of("unique", Codec.string(), row -> row).unique();

  private final TestGrid grid = TestGrid.network(NODES, 2, 12, 64);

  @AfterEach
  void close() {
    grid.close();
  }

  private Table<Long, String> table(int node) {
    return grid.handle(node).table("things", Codec.int64(), Codec.string(), List.of(VALUE, UNIQUE));
  }

  private void fill(Table<Long, String> table) {
    grid.handle(0)
        .run(tx -> {
          for (long key = 0; key < ROWS; key++) {
            tx.on(table).put(key, "v" + key);
          }
        });
  }

  private void loseEntries(String part) {
    new Damage(grid.handle(0))
        .in(
            part,
            Codec.string(),
            Codec.bytes(),
            view -> {
              for (long key = 0; key < ROWS; key += 3) {
                view.remove(Codec.string().encode("v" + key));
              }
            });
  }

  /** A table of which somebody has begun to rebuild the unique index, and died. */
  private Table<Long, String> halfRebuilt() {
    Table<Long, String> table = table(0);
    fill(table);
    table.createIndex(UNIQUE);
    loseEntries("things.index.1");
    AtomicInteger seen = new AtomicInteger();
    IndexDefinition<String, String> dying =
        IndexDefinition.<String, String>of(
                "unique",
                Codec.string(),
                row -> {
                  if (seen.incrementAndGet() > 100) {
                    throw new AssertionError("the builder dies");
                  }
                  return row;
                })
            .unique();
    Table<Long, String> theirs =
        grid.handle(2).table("things", Codec.int64(), Codec.string(), List.of(dying));
    assertThatThrownBy(() -> theirs.rebuildIndex("unique")).isInstanceOf(AssertionError.class);
    assertThat(table.indexes()).hasSize(1).containsEntry("unique", IndexState.BUILDING);
    assertThat(parts()).containsExactly("things.index.1", "things.index.2");
    return table;
  }

  private List<String> parts() {
    return grid.handle(0).indexes().stream().filter(name -> name.contains(".index.")).toList();
  }

  private static void agrees(Table<Long, String> table) {
    TableReport check = table.check();
    assertThat(check.differences()).isEmpty();
    assertThat(check.count()).isZero();
    assertThat(check.isFull()).isTrue();
  }

  private List<CompletableFuture<Void>> writers(AtomicBoolean stop, AtomicInteger written) {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      writers.add(
          RowWriter.start(
              grid.handle(i),
              table(i),
              i,
              ROWS,
              (random, key) -> "w" + key % 7 + "-" + random.nextInt(30) + "-" + key,
              stop,
              written));
    }
    return writers;
  }

  /** Whether the unique index could be read; then it has what the rows have in that snapshot. */
  private static boolean readsRight(EmbeddedCanopy db, Table<Long, String> table) {
    try {
      return db.<Boolean, RuntimeException>read(tx -> {
        Set<String> rows = new TreeSet<>();
        try (Cursor<Long, String> all = tx.on(table).scan(Range.all())) {
          all.forEach(row -> rows.add(row.getValue() + "/" + row.getKey()));
        }
        Set<String> entries = new TreeSet<>();
        try (var all = tx.on(table).by(UNIQUE).scan(Range.all())) {
          all.forEach(entry -> entries.add(entry.attribute() + "/" + entry.key()));
        }
        assertThat(entries).isEqualTo(rows);
        return true;
      });
    } catch (CanopyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.INDEX_NOT_READY);
      return false;
    }
  }

  @Test
  void besideWritersChecksFindNothingAndRebuildsLeaveNothingWrong() {
    Table<Long, String> table = table(0);
    fill(table);
    table.createIndex(VALUE);
    table.createIndex(UNIQUE);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>(writers(stop, written));
    Table<Long, String> there = table(1);
    Runnable reader =
        () -> {
          while (!stop.get()) {
            read.addAndGet(readsRight(grid.handle(1), there) ? 1 : 0);
          }
        };
    all.add(CompletableFuture.runAsync(reader, task -> new Thread(task).start()));
    try {
      agrees(table);
      for (int i = 0; i < 4; i++) {
        int before = written.get();
        int readBefore = read.get();
        table.rebuildIndex(i % 2 == 0 ? "unique" : "value");
        while (written.get() < before + 30 || read.get() == readBefore) {
          assertThat(all).noneMatch(CompletableFuture::isCompletedExceptionally);
          Thread.onSpinWait();
        }
        agrees(there);
      }
    } finally {
      stop.set(true);
    }
    all.forEach(CompletableFuture::join);
    agrees(table);
    assertThat(parts()).containsExactly("things.index.5", "things.index.6");
  }

  @Test
  void whatIsLostIsThereAgainOnceItCanBeRead() {
    Table<Long, String> table = table(0);
    fill(table);
    table.createIndex(UNIQUE);
    loseEntries("things.index.1");
    assertThat(table.check().count()).isEqualTo(ROWS / 3);
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = writers(stop, new AtomicInteger());
    try {
      table.rebuildIndex("unique");
      assertThat(readsRight(grid.handle(0), table)).isTrue();
    } finally {
      stop.set(true);
    }
    writers.forEach(CompletableFuture::join);
    agrees(table);
  }

  @Test
  void aRebuildThatWasInterruptedIsTakenUp() {
    Table<Long, String> table = halfRebuilt();
    Errors.of(
        ErrorCode.INDEX_NOT_READY,
        () ->
            grid.handle(0)
                .read(
                    TransactionOptions.DEFAULTS.withAfter(grid.handle(2).token()),
                    tx -> tx.on(table).by(UNIQUE).count(Range.all())));
    Table<Long, String> other = table(1);
    other.rebuildIndex("unique");
    assertThat(parts()).containsExactly("things.index.2");
    agrees(other);
  }

  @Test
  void creatingTheIndexTakesItUpToo() {
    Table<Long, String> table = halfRebuilt();
    table.createIndex(UNIQUE);
    assertThat(parts()).containsExactly("things.index.2");
    agrees(table);
  }

  /** The old entries know of rows that the new ones lack yet. */
  @Test
  void whileItIsRebuiltAUniqueIndexRefusesWhatItRefusedBefore() {
    Table<Long, String> table = halfRebuilt();
    String last = "v" + (ROWS - 2);
    Errors.of(
        ErrorCode.UNIQUE_VIOLATION, () -> grid.handle(0).run(tx -> tx.on(table).put(1L, last)));
    grid.handle(0).run(tx -> tx.on(table).put(1L, "other"));
    grid.handle(0).run(tx -> tx.on(table).remove(ROWS - 2));
    grid.handle(0).run(tx -> tx.on(table).put(2L, last));
    table.rebuildIndex("unique");
    agrees(table);
  }

  @Test
  void aRebuildThatFailsByARowLeavesTheIndexAsItIsForTheRows() {
    Table<Long, String> table = halfRebuilt();
    new Damage(grid.handle(0))
        .in(
            "things.rows",
            Codec.int64(),
            Codec.string(),
            view -> view.put(Codec.int64().encode(ROWS - 1), Codec.string().encode("v1")));
    Errors.of(ErrorCode.UNIQUE_VIOLATION, () -> table.rebuildIndex("unique"));
    assertThat(table.indexes()).hasSize(1).containsEntry("unique", IndexState.READY);
    assertThat(parts()).containsExactly("things.index.1");
    grid.handle(0).run(tx -> tx.on(table).put(ROWS - 1, "v" + (ROWS - 1)));
    table.rebuildIndex("unique");
    agrees(table);
    assertThat(parts()).containsExactly("things.index.3");
  }

  @Test
  void anIndexThatIsHalfRebuiltIsDroppedWithAllThatIsLeft() {
    Table<Long, String> table = halfRebuilt();
    assertThat(table.dropIndex("unique")).isTrue();
    assertThat(table.dropIndex("unique")).isFalse();
    assertThat(table.indexes()).isEmpty();
    assertThat(parts()).isEmpty();
    table.createIndex(UNIQUE);
    agrees(table);
  }

  @Test
  void anIndexThatIsNotReadyIsNotChecked() {
    Table<Long, String> table = halfRebuilt();
    TableReport check = table.check();
    assertThat(check.indexes()).hasSize(1);
    assertThat(check.indexes().get(0).depth()).isEqualTo(TableReport.Depth.NONE);
    assertThat(check.indexes().get(0).state()).isEqualTo(IndexState.BUILDING);
    assertThat(check.count()).isZero();
  }

  @Test
  void anIndexThatIsDroppedWhileItIsCheckedIsNotCheckedToItsEnd() {
    AtomicBoolean dropped = new AtomicBoolean();
    AtomicBoolean drops = new AtomicBoolean();
    IndexDefinition<String, String> dropping =
        IndexDefinition.of(
            "value",
            Codec.string(),
            row -> {
              if (drops.get() && dropped.compareAndSet(false, true)) {
                Workers.elsewhere(() -> table(1).dropIndex("value"));
              }
              return row;
            });
    Table<Long, String> table =
        grid.handle(0).table("things", Codec.int64(), Codec.string(), List.of(dropping));
    table.createIndex(dropping);
    fill(table);
    drops.set(true);
    TableReport check = table.check();
    assertThat(dropped).isTrue();
    assertThat(check.indexes().get(0).depth()).isEqualTo(TableReport.Depth.NONE);
    assertThat(check.rows()).isEqualTo(ROWS);
    assertThat(check.count()).isZero();
    Errors.of(ErrorCode.UNKNOWN_INDEX, () -> table.rebuildIndex("value"));
  }

  @Test
  void aFullTableHasToLoseAnIndexBeforeOneIsRebuilt() {
    Table<Long, String> table = grid.handle(0).table("things", Codec.int64(), Codec.string());
    for (int i = 0; i < 64; i++) {
      table.createIndex("i" + i, Codec.string(), row -> row);
    }
    Errors.of(ErrorCode.INVALID_ARGUMENT, () -> table.rebuildIndex("i7"));
    assertThat(table.index("i7")).isEqualTo(IndexState.READY);
    table.dropIndex("i0");
    table.rebuildIndex("i7");
    assertThat(table.indexes()).hasSize(63);
  }
}
