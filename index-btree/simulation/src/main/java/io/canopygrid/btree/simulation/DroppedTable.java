package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A table that is dropped and created again. The commits of its list stand in the order of the
 * tables: its rows are those of the last commits of the list, from one of them on.
 */
final class DroppedTable {
  private static final String NAME = "dt";
  private static final int WRITERS = 2;
  private static final int CHANGERS = 2;

  /** The key of its list. */
  private static final long LIST = 9;

  private static final List<Long> KEYS = LongStream.range(0, 6).boxed().toList();
  private static final IndexDefinition<String, String> TAG =
      IndexDefinition.of("tag", Codec.string(), DroppedTable::tag);

  private final HandleWork work;

  /** By the numbers of commits what they write. */
  private final Map<Integer, Map<Long, String>> intents = new HashMap<>();

  DroppedTable(HandleWork work) {
    this.work = work;
  }

  private static String tag(String row) {
    return row.substring(row.length() - 1);
  }

  private static Table<Long, String> at(EmbeddedCanopy db) {
    return db.table(NAME, Codec.int64(), Codec.string(), List.of(TAG));
  }

  void start(SimulatedGrid grid, int random, int works) {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(random + i));
      grid.client("writer of a table " + i, 4 + 3L * i, () -> client.repeat(works, client::write));
    }
    for (int i = 0; i < CHANGERS; i++) {
      Client client = new Client(grid.random(random + 5 + i));
      grid.client(
          "changer of a table " + i, 50 + 9L * i, () -> client.repeat(works, client::change));
    }
  }

  /** Reads and writes the table at rest, where all of it works; its list. */
  Map<Long, List<Integer>> rest(EmbeddedCanopy db) {
    Table<Long, String> table = at(db);
    if (table.indexes().get(TAG.name()) == IndexState.DROPPING) {
      work.count("removals ended");
      table.dropIndex(TAG.name());
    }
    table.createIndex(TAG);
    db.run(
        work.after(),
        tx -> {
          for (long key : KEYS) {
            String row = tx.on(table).get(key);
            tx.on(table).put(key, row == null ? "rest" : row + "!");
            if (row == null) {
              tx.on(table).remove(key);
            } else {
              tx.on(table).put(key, row);
            }
          }
        });
    work.tell(db);
    long stored = db.indexes().stream().filter(name -> name.startsWith(NAME + ".index.")).count();
    if (stored != table.indexes().size()) {
      work.problem("the table has " + table.indexes() + ", and there are " + db.indexes());
    }
    return db.read(work.after(), tx -> look(db, tx, table));
  }

  /** Compares the rows with the commits, and the entries with the rows; the list. */
  private Map<Long, List<Integer>> look(
      EmbeddedCanopy db, ReadTransaction tx, Table<Long, String> table) {
    Map<Long, String> rows = new TreeMap<>();
    TableReadView<Long, String> view = tx.on(table);
    view.scan(Range.all()).forEach(row -> rows.put(row.getKey(), row.getValue()));
    List<Integer> list = NumberLists.of(tx.on(work.lists(db)).get(LIST));
    int cut = list.size();
    while (cut >= 0 && !written(list, cut).equals(rows)) {
      cut--;
    }
    if (cut < 0) {
      work.problem("the table has " + rows + ", which are not those of the last of " + list);
    }
    compare(view, rows);
    return Map.of(LIST, list);
  }

  private void compare(TableReadView<Long, String> view, Map<Long, String> rows) {
    List<String> expected = new ArrayList<>();
    rows.forEach((key, row) -> expected.add(tag(row) + key));
    expected.sort(null);
    List<String> found = new ArrayList<>();
    try {
      view.by(TAG).scan(Range.all()).forEach(entry -> found.add(entry.attribute() + entry.key()));
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.INDEX_NOT_READY && e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      return;
    }
    work.count("tables compared");
    if (!found.equals(expected)) {
      work.problem("the table's index has " + found + ", and its rows say " + expected);
    }
  }

  private Map<Long, String> written(List<Integer> list, int from) {
    Map<Long, String> rows = new TreeMap<>();
    list.subList(from, list.size())
        .forEach(number -> rows.putAll(intents.getOrDefault(number, Map.of())));
    rows.values().removeIf(String::isEmpty);
    return rows;
  }

  /** One client. */
  private final class Client extends HandleWork.HandleClient {
    Client(SeededRandom random) {
      work.super(random);
    }

    private TransactionOptions options() {
      return TransactionOptions.DEFAULTS
          .withTimeout(HandleWork.PATIENCE)
          .withMaxAttempts(random.oneOf(1, 5, 50));
    }

    void write() {
      Told told = work.next(List.of(LIST));
      Map<Long, String> rows = new TreeMap<>();
      for (long key : random.sample(KEYS, random.oneOf(1, 2, 3))) {
        String tag = random.oneOf(List.of("a", "b", "c"));
        rows.put(key, random.chance(0.8) ? DropCheck.value(told.number) + tag : "");
      }
      intents.put(told.number, rows);
      work.use(
          work.grid.anyUsable(random),
          told,
          db -> {
            Table<Long, String> table = at(db);
            db.run(
                options(),
                tx -> {
                  rows.forEach((key, row) -> {
                    if (row.isEmpty()) {
                      tx.on(table).remove(key);
                    } else {
                      tx.on(table).put(key, row);
                    }
                    work.pause(random);
                  });
                  MutableView<Long, String> appended = tx.on(work.lists(db));
                  appended.put(LIST, NumberLists.with(appended.get(LIST), told.number));
                });
          });
    }

    void change() {
      double what = random.below(100) / 100.0;
      work.use(
          work.grid.anyUsable(random),
          null,
          db -> {
            if (what < 0.35) {
              work.count(db.dropTable(NAME) ? "tables dropped" : "tables not there");
            } else if (what < 0.45) {
              work.count(
                  at(db).dropIndex(TAG.name()) ? "secondary dropped" : "secondary not there");
            } else if (what < 0.7) {
              at(db).createIndex(TAG);
              work.count("secondary built");
            } else {
              Table<Long, String> table = at(db);
              db.read(options(), tx -> look(db, tx, table));
            }
          });
    }
  }
}
