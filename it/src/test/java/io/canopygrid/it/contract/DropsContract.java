package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drops of indexes and tables. */
@NullUnmarked // bodies return null, and answers are compared as they are
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class DropsContract extends Theme {
  private static final IndexDefinition<String, String> FIRST =
      IndexDefinition.of("first", Codec.string(), row -> row.substring(0, 1));
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withMaxAttempts(10_000);

  DropsContract(ContractGrid grid) {
    super(grid);
  }

  private Table<Long, String> people(Canopy handle) {
    return handle.table(name + "-people", Codec.int64(), Codec.string(), List.of(FIRST));
  }

  /** All that can be done with an index is refused. */
  private void refusesAll(Canopy handle, Index<String, String> dropped) {
    refused(ErrorCode.UNKNOWN_INDEX, () -> handle.read(tx -> tx.on(dropped).get("a")));
    refused(ErrorCode.UNKNOWN_INDEX, () -> handle.read(tx -> tx.on(dropped).count()));
    refused(ErrorCode.UNKNOWN_INDEX, () -> handle.read(tx -> tx.on(dropped).lastEntry()));
    refused(ErrorCode.UNKNOWN_INDEX, () -> handle.run(tx -> tx.on(dropped).put("a", "late")));
    refused(ErrorCode.UNKNOWN_INDEX, () -> handle.run(tx -> tx.on(dropped).remove("z")));
    refused(
        ErrorCode.UNKNOWN_INDEX, () -> handle.run(tx -> tx.on(dropped).removeRange(Range.all())));
  }

  @Test
  void takeAnIndexAwayForEverybody() {
    letters();
    Index<String, String> there = texts(other);
    assertThat(other.dropIndex(name)).isTrue();
    assertThat(other.dropIndex(name)).isFalse();
    assertThat(db.dropIndex(name)).isFalse();
    refusesAll(db, index);
    refusesAll(other, there);
    assertThat(db.indexes()).doesNotContain(name);
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.structure(name).subtrees());
  }

  @Test
  void leaveTheNameToAnotherIndex() {
    letters();
    Index<String, String> there = texts(other);
    assertThat(db.dropIndex(name)).isTrue();
    refused(ErrorCode.UNKNOWN_INDEX, () -> other.read(tx -> tx.on(there).get("a")));
    Index<Long, Long> again = db.index(name, Codec.int64(), Codec.int64());
    db.run(tx -> tx.on(again).put(1L, 2L));
    Index<Long, Long> againThere = other.index(name, Codec.int64(), Codec.int64());
    TransactionOptions after = TransactionOptions.DEFAULTS.withAfter(db.token());
    assertThat(other.<Long, RuntimeException>read(after, tx -> tx.on(againThere).get(1L)))
        .isEqualTo(2L);
    refusesAll(db, index);
    refusesAll(other, there);
    assertThat(db.dropIndex(name)).isTrue();
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(again).get(1L)));
    Index<String, String> third = texts(db);
    Index<String, String> thirdThere = texts(other);
    db.run(tx -> tx.on(third).put("a", "third"));
    other.run(tx -> tx.on(thirdThere).put("b", "third"));
    after = TransactionOptions.DEFAULTS.withAfter(other.token());
    assertThat(db.<Long, RuntimeException>read(after, tx -> tx.on(third).count())).isEqualTo(2);
    refusesAll(db, index);
    refusesAll(other, there);
  }

  @Test
  void leaveWhatASnapshotShows() {
    letters();
    db.snapshot(name);
    TransactionOptions before = TransactionOptions.DEFAULTS.at(name);
    other.dropIndex(name);
    assertThat(db.<Long, RuntimeException>read(before, tx -> tx.on(index).count())).isEqualTo(26);
    Index<String, String> again = texts(other);
    other.run(tx -> tx.on(again).put("later", "later"));
    for (Canopy handle : List.of(db, other)) {
      Index<String, String> there = texts(handle);
      handle.read(
          before,
          tx -> {
            assertThat(tx.on(there).get("a")).isEqualTo("A");
            assertThat(tx.on(there).get("later")).isNull();
            assertThat(tx.on(there).count()).isEqualTo(26);
            try (Cursor<String, String> all = tx.on(there).scan(Range.all())) {
              assertThat(all.reverse().stream().count()).isEqualTo(26);
            }
            return null;
          });
    }
    db.dropSnapshot(name);
  }

  @Test
  void endTransactionsThatHaveUsedTheIndex() {
    letters();
    Transaction tx = db.begin();
    assertThat(tx.on(index).get("a")).isEqualTo("A");
    tx.on(index).put("a", "late");
    other.dropIndex(name);
    refused(ErrorCode.UNKNOWN_INDEX, tx::commit);
    Transaction blind = db.begin();
    blind.on(index).put("a", "late");
    refused(ErrorCode.UNKNOWN_INDEX, blind::commit);
  }

  @Test
  void endAScanOrLetItReadItsSnapshot() {
    letters();
    long seen;
    try {
      seen =
          db.<Long, RuntimeException>read(tx -> {
            long found = 0;
            try (Cursor<String, String> all = tx.on(index).scan(Range.all())) {
              for (Iterator<String> keys = all.keys().iterator(); keys.hasNext(); found++) {
                keys.next();
                if (found == 3) {
                  otherThread(() -> other.dropIndex(name));
                }
              }
            }
            return found;
          });
    } catch (CanopyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX);
      seen = 26;
    }
    assertThat(seen).isEqualTo(26);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
  }

  private static void otherThread(Runnable action) {
    CompletableFuture.runAsync(action).orTimeout(1, TimeUnit.MINUTES).join();
  }

  @Test
  void refuseWhatIsNoIndex() {
    refused(ErrorCode.INVALID_INDEX_NAME, () -> db.dropIndex("a b"));
    refused(ErrorCode.INVALID_INDEX_NAME, () -> db.dropTable("$users"));
    assertThat(db.dropIndex(name + "-none")).isFalse();
    assertThat(db.dropTable(name + "-none")).isFalse();
    assertThat(db.dropTable(name)).as("an index is not a table").isFalse();
    people(db);
    for (String part : List.of("rows", "definitions", "index.1")) {
      refused(ErrorCode.PART_OF_TABLE, () -> db.dropIndex(name + "-people." + part));
    }
  }

  @Test
  void takeATableAwayWithAllItsIndexes() {
    Table<Long, String> people = people(db);
    people.createIndex(FIRST);
    db.run(tx -> tx.on(people).put(1L, "Ada"));
    Table<Long, String> there = people(other);
    db.snapshot(name);
    assertThat(other.dropTable(name + "-people")).isTrue();
    assertThat(other.dropTable(name + "-people")).isFalse();
    assertThat(db.indexes()).noneMatch(index -> index.startsWith(name + "-people."));
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(people).put(2L, "Bob")));
    refused(ErrorCode.UNKNOWN_INDEX, () -> other.read(tx -> tx.on(there).get(1L)));
    refused(ErrorCode.UNKNOWN_INDEX, () -> people.createIndex(FIRST));
    assertThat(db.indexes()).noneMatch(index -> index.startsWith(name + "-people."));
    seesAda(db, people);
    Table<Long, String> again = people(other);
    again.createIndex(FIRST);
    other.run(tx -> tx.on(again).put(7L, "Zoe"));
    assertThat(keys(other, again, "Z")).containsExactly(7L);
    seesAda(other, again);
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.run(tx -> tx.on(people).put(2L, "Bob")));
    db.dropSnapshot(name);
  }

  @Test
  void leaveNoHandleWithAPartOfAFormerTable() {
    Table<Long, String> people = people(db);
    people.createIndex(FIRST);
    db.run(tx -> tx.on(people).put(1L, "Ada"));
    Table<Long, String> there = people(other);
    other.run(tx -> tx.on(there).put(2L, "Bob"));
    assertThat(db.dropTable(name + "-people")).isTrue();
    people(db).createIndex(FIRST);
    // The handle hears of the definitions here, and of nothing else that the table is made of.
    refused(ErrorCode.UNKNOWN_INDEX, there::indexes);
    Table<Long, String> again = people(other);
    other.run(tx -> tx.on(again).put(7L, "Zoe"));
    assertThat(keys(other, again, "Z")).containsExactly(7L);
    assertThat(
            other.<Long, RuntimeException>read(
                tx -> tx.on(again).scan(Range.all()).stream().count()))
        .isEqualTo(1);
  }

  private static List<Long> keys(Canopy handle, Table<Long, String> table, String first) {
    return handle.<List<Long>, RuntimeException>read(
        tx -> tx.on(table).by(FIRST).keys(first).toList());
  }

  private void seesAda(Canopy handle, Table<Long, String> table) {
    handle.read(
        TransactionOptions.DEFAULTS.at(name),
        tx -> {
          assertThat(tx.on(table).get(1L)).isEqualTo("Ada");
          assertThat(tx.on(table).by(FIRST).keys("A").toList()).containsExactly(1L);
          assertThat(tx.on(table).by(FIRST).keys("Z").toList()).isEmpty();
          return null;
        });
  }

  @Test
  void leaveASecondaryIndexToSnapshotsAndCreateNone() {
    Table<Long, String> people = people(db);
    people.createIndex(FIRST);
    db.run(tx -> tx.on(people).put(1L, "Ada"));
    Table<Long, String> there = people(other);
    db.snapshot(name);
    assertThat(there.dropIndex("first")).isTrue();
    assertThat(there.dropIndex("first")).isFalse();
    String entries = name + "-people.index.1";
    assertThat(db.indexes()).doesNotContain(entries);
    seesAda(db, people);
    seesAda(other, there);
    Canopy third = grid.handle(2);
    seesAda(third, people(third));
    refused(
        ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(people).by(FIRST).keys("A").toList()));
    assertThat(db.indexes()).doesNotContain(entries);
    people.createIndex(FIRST);
    seesAda(db, people);
    assertThat(people.index("first")).isEqualTo(IndexState.READY);
    db.dropSnapshot(name);
  }

  @Test
  void letWritersOfATableGoOnWhileItsIndexesComeAndGo() {
    Table<Long, String> people = people(db);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (Canopy handle : List.of(db, other)) {
      Table<Long, String> table = people(handle);
      writers.add(
          CompletableFuture.runAsync(() -> {
            for (long i = 0; !stop.get(); i++) {
              long key = i % 50;
              handle.run(PATIENT, tx -> tx.on(table).put(key, "row" + written.get()));
              written.incrementAndGet();
            }
          }));
    }
    try {
      for (int round = 0; round < 5; round++) {
        int from = written.get();
        people.createIndex(FIRST);
        await(() ->
            written.get() >= from + 20 || writers.stream().anyMatch(CompletableFuture::isDone));
        assertThat((round % 2 == 0 ? people : people(other)).dropIndex("first")).isTrue();
      }
    } finally {
      stop.set(true);
    }
    CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
    assertThat(people.indexes()).isEmpty();
    assertThat(db.indexes()).noneMatch(index -> index.startsWith(name + "-people.index."));
  }

  @Test
  void dropAnIndexThatIsBeingBuilt() {
    AtomicBoolean dropped = new AtomicBoolean();
    Table<Long, String> people = people(db);
    db.run(tx -> {
      for (long key = 0; key < 100; key++) {
        tx.on(people).put(key, "row");
      }
    });
    Table<Long, String> there = people(other);
    IndexDefinition<String, String> slow =
        IndexDefinition.of(
            "slow",
            Codec.string(),
            row -> {
              if (dropped.compareAndSet(false, true)) {
                otherThread(() -> assertThat(there.dropIndex("slow")).isTrue());
              }
              return row;
            });
    refused(ErrorCode.DEFINITION_MISMATCH, () -> people.createIndex(slow));
    assertThat(people.indexes()).isEmpty();
    assertThat(db.indexes()).noneMatch(index -> index.startsWith(name + "-people.index."));
    db.run(tx -> tx.on(people).put(1L, "after"));
  }

  @Test
  void stopWritersOfTheIndexWithAnErrorAndLoseNothingElse() {
    Index<Long, Long> counted = db.index(name + "-counted", Codec.int64(), Codec.int64());
    Index<Long, Long> countedThere = other.index(name + "-counted", Codec.int64(), Codec.int64());
    Index<String, String> there = texts(other);
    AtomicInteger committed = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> {
          for (long i = 0; ; i++) {
            long key = i;
            other.run(
                PATIENT,
                tx -> {
                  tx.on(there).put("k" + key % 100, "v");
                  tx.on(countedThere).put(key, key);
                });
            committed.incrementAndGet();
          }
        });
    await(() -> committed.get() >= 30 || writer.isDone());
    assertThat(db.dropIndex(name)).isTrue();
    refused(
        ErrorCode.UNKNOWN_INDEX,
        () -> {
          try {
            writer.orTimeout(1, TimeUnit.MINUTES).join();
          } catch (CompletionException e) {
            throw e.getCause();
          }
        });
    TransactionOptions after = TransactionOptions.DEFAULTS.withAfter(other.token());
    assertThat(db.<Long, RuntimeException>read(after, tx -> tx.on(counted).count()))
        .isEqualTo(committed.get());
  }
}
