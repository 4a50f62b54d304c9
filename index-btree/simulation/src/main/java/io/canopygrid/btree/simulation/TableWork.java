package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Isolation;
import io.canopygrid.MutableView;
import io.canopygrid.ReadFrom;
import io.canopygrid.Table;
import io.canopygrid.TableView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that change the rows of a table, build its indexes beside that, drop them, and compare
 * rows with entries. Some builds fail, since two rows have one attribute of a unique index, or
 * since a row cannot be in the index.
 */
final class TableWork extends HandleWork {
  private static final int RANDOM = 3_300;
  private static final int WRITERS = 3;
  private static final int BUILDERS = 3;
  private static final int READERS = 2;
  private static final int WORKS_MAX = 6;
  private static final long MOMENTS = 60;
  private static final long LONG = 600;
  private static final List<Long> KEYS = LongStream.range(0, TableRows.KEYS).boxed().toList();

  private final int works;
  private final boolean drops;

  /** Whether the builders begin at the same moments. */
  private final boolean together;

  /** Which call of a definition's function takes long; 0: none. */
  private final int slowCall;

  private int calls;
  private final TableRows tableRows;
  private final OpenedTable opened;
  private final TableCheck check;

  TableWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "tables");
    this.works = Math.min(WORKS_MAX, run.transactions());
    SeededRandom random = grid.random(RANDOM - 1);
    this.drops = random.chance(0.4);
    this.together = random.chance(0.5);
    this.tableRows = new TableRows(this::slow);
    this.slowCall = random.oneOf(0, random.between(1, 20), random.between(1, 80));
    this.opened = new OpenedTable(tableRows);
    this.check = new TableCheck(this, opened, KEYS);
  }

  /** One call of a definition's function takes very long: others change rows meanwhile. */
  private void slow() {
    calls++;
    if (calls == slowCall) {
      grid.sleep(LONG);
    }
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + i));
      grid.client("writer of rows " + i, 2 + 3L * i, () -> client.repeat(2 * works, client::write));
    }
    for (int i = 0; i < BUILDERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i));
      grid.client("builder " + i, 30 + 9L * i, () -> client.repeat(works, client::build));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 20 + i));
      grid.client("reader of rows " + i, 40 + 5L * i, () -> client.repeat(works, client::read));
    }
  }

  @Override
  public void finish() {
    atRest(grid.anyUsable(grid.random(RANDOM - 2)), check::finish);
    for (GmuNode node : grid.usable()) {
      atRest(node, db -> rest(db, check.read(db, after(), () -> {})));
    }
  }

  /** One client. */
  private final class Client extends HandleClient {
    Client(SeededRandom random) {
      super(random);
    }

    void write() {
      Told told = next(random.sample(KEYS, random.oneOf(1, 1, 2)));
      Map<Long, String> rows = new TreeMap<>();
      for (long key : told.keys) {
        if (random.chance(0.8)) {
          rows.put(key, TableRows.random(random, told.number));
        }
      }
      check.intend(told, rows);
      boolean inserts = random.chance(0.2);
      TransactionOptions options =
          TransactionOptions.DEFAULTS.withTimeout(PATIENCE).withMaxAttempts(random.oneOf(1, 5, 50));
      use(
          grid.anyUsable(random),
          told,
          db -> {
            Table<Long, String> table = opened.at(db);
            Index<Long, String> lists = lists(db);
            db.run(options, tx -> change(tx, table, tx.on(lists), told, rows, inserts));
          });
    }

    private void change(
        Transaction tx,
        Table<Long, String> table,
        MutableView<Long, String> lists,
        Told told,
        Map<Long, String> rows,
        boolean inserts) {
      TableView<Long, String> view = tx.on(table);
      for (long key : told.keys) {
        lists.put(key, NumberLists.with(lists.get(key), told.number));
        change(view, key, rows.get(key), inserts);
        pause(random);
      }
    }

    private void change(
        TableView<Long, String> view, long key, @Nullable String row, boolean inserts) {
      try {
        if (row == null) {
          view.remove(key);
        } else if (inserts) {
          view.insert(key, row);
        } else {
          view.put(key, row);
        }
      } catch (CanopyException e) {
        if (e.code() == ErrorCode.UNIQUE_VIOLATION && row != null) {
          check.violation(view, e, row);
        }
        throw e;
      }
    }

    void build() {
      IndexDefinition<String, String> index =
          random.chance(0.5) ? tableRows.unique() : random.oneOf(tableRows.indexes());
      if (together) {
        grid.sleep(MOMENTS - grid.now() % MOMENTS);
      }
      GmuNode node = grid.anyUsable(random);
      if (drops && random.chance(0.35)) {
        check.drops(index.name());
        use(
            node,
            null,
            db -> count(opened.at(db).dropIndex(index.name()) ? "dropped" : "not there"));
      } else {
        boolean built =
            use(
                node,
                null,
                db -> {
                  opened.at(db).createIndex(index);
                  check.built(db, index.name());
                });
        count(built ? "built" : "not built");
      }
    }

    void read() {
      TransactionOptions options =
          TransactionOptions.DEFAULTS
              .withTimeout(PATIENCE)
              .withReadFrom(random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY)
              .withIsolation(
                  random.chance(0.2) ? Isolation.SERIALIZABLE : Isolation.UPDATE_SERIALIZABLE);
      use(
          grid.anyUsable(random),
          null,
          db -> {
            check.read(db, options, () -> pause(random));
            count("compared");
          });
    }
  }
}
