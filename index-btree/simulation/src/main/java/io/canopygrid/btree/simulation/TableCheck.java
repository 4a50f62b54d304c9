package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Range;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.btree.simulation.StoredTable.Kept;
import io.canopygrid.clock.VectorClock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The checks of a table: its rows are what was written, and its indexes are what its rows say. */
final class TableCheck {
  private final HandleWork work;
  private final OpenedTable opened;
  private final TableRows tableRows;
  private final List<Long> keys;

  /** By number the rows that its commit writes; a key of it without a row loses its row. */
  private final Map<Integer, Map<Long, String>> intended = new HashMap<>();

  /** The indexes that were seen ready. */
  private final Set<Seen> ready = new LinkedHashSet<>();

  /** The indexes that a client was told to be there. */
  private final Set<Seen> built = new LinkedHashSet<>();

  /** The names of the indexes that a client has dropped. */
  private final Set<String> dropped = new HashSet<>();

  /**
   * An index that was there.
   *
   * @param number 0: it was known by its name only
   * @param clock all that the handle had seen by then
   * @param at when
   */
  private record Seen(int number, String name, VectorClock clock, long at) {}

  TableCheck(HandleWork work, OpenedTable opened, List<Long> keys) {
    this.work = work;
    this.opened = opened;
    this.tableRows = opened.rows();
    this.keys = keys;
  }

  void intend(Told told, Map<Long, String> rows) {
    intended.put(told.number, rows);
  }

  /** A client begins to drop the index of a name. */
  void drops(String index) {
    dropped.add(index);
  }

  /** A client was told that an index is there. */
  void built(EmbeddedCanopy db, String name) {
    built.add(seen(db, 0, name));
    StoredTable now = stored(db);
    now.indexes()
        .forEach((number, index) -> {
          if (index.equals(new Kept(name, IndexState.READY))) {
            ready.add(seen(db, number, name));
          }
        });
    if (!now.indexes().containsValue(new Kept(name, IndexState.READY)) && !dropped.contains(name)) {
      work.problem("index " + name + " was built, and there is only " + now);
    }
  }

  private Seen seen(EmbeddedCanopy db, int number, String name) {
    return new Seen(number, name, db.token().clock(), work.grid.now());
  }

  /** Whether an index has to be there: nobody has dropped it, and no cut has taken it. */
  private boolean stays(Seen seen) {
    return !dropped.contains(seen.name()) && !work.grid.isCut(seen.clock(), seen.at());
  }

  /** A row that is refused must be refused for another one. */
  void violation(TableReadView<Long, String> view, CanopyException e, String row) {
    work.count("violations");
    long other = Long.parseLong(e.facts().getOrDefault("key", "-1"));
    String its = view.get(other);
    if (its == null || !TableRows.mail(its).equals(TableRows.mail(row))) {
      work.problem(row + " is refused for that of " + other + ", which is " + its + ": " + e);
    }
  }

  /**
   * Compares everything in one snapshot.
   *
   * @param pause between two looks
   * @return the lists of that snapshot
   */
  Map<Long, List<Integer>> read(EmbeddedCanopy db, TransactionOptions options, Runnable pause) {
    Table<Long, String> table = opened.at(db);
    Index<Long, String> lists = work.lists(db);
    Index<String, byte[]> kept = OpenedTable.kept(db);
    Map<Integer, String> finished = new TreeMap<>();
    Map<Long, List<Integer>> read =
        db.read(
            options,
            tx -> {
              Map<Long, String> rows = new TreeMap<>();
              TableReadView<Long, String> view = tx.on(table);
              view.scan(Range.all()).forEach(row -> rows.put(row.getKey(), row.getValue()));
              pause.run();
              compare(view, rows, pause);
              Map<Long, List<Integer>> found = HandleWork.lists(tx.on(lists), keys);
              compare(found, rows);
              finished.clear();
              finished.putAll(look(db, tx, kept, rows));
              return found;
            });
    finished.forEach((number, name) -> ready.add(seen(db, number, name)));
    return read;
  }

  private void compare(TableReadView<Long, String> view, Map<Long, String> rows, Runnable pause) {
    for (IndexDefinition<String, String> index : tableRows.indexes()) {
      try {
        List<String> found = tableRows.found(index, view.by(index));
        List<String> expected = tableRows.expected(index, rows);
        if (!found.equals(expected)) {
          work.problem(
              ("index " + index.name() + " has " + found)
                  + (", and the rows say " + expected + ": " + rows));
        }
        work.count("indexes compared");
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.INDEX_NOT_READY && e.code() != ErrorCode.UNKNOWN_INDEX) {
          throw e;
        }
      }
      pause.run();
    }
  }

  /** The row of each key is what the last commit in the key's list meant. */
  private void compare(Map<Long, List<Integer>> lists, Map<Long, String> rows) {
    lists.forEach((key, list) -> {
      Map<Long, String> last = list.isEmpty() ? Map.of() : intended(list.get(list.size() - 1));
      if (!Objects.equals(last.get(key), rows.get(key))) {
        work.problem(
            ("row " + key + " is " + rows.get(key))
                + (", and the commits " + list + " say " + last.get(key)));
      }
    });
  }

  private Map<Long, String> intended(int number) {
    return intended.getOrDefault(number, Map.of());
  }

  /**
   * Looks at the indexes by number: all that an unfinished one has is of rows that are there.
   *
   * @return those that are ready
   */
  private Map<Integer, String> look(
      EmbeddedCanopy db, ReadTransaction tx, Index<String, byte[]> kept, Map<Long, String> rows) {
    Map<Integer, String> finished = new TreeMap<>();
    StoredTable.read(tx.on(kept).get(StoredTable.KEY))
        .indexes()
        .forEach((number, index) -> {
          if (index.state() == IndexState.READY) {
            finished.put(number, index.name());
          } else if (index.state() == IndexState.BUILDING) {
            work.count("unfinished indexes compared");
            List<String> found = entries(db, tx, index.name(), number);
            List<String> possible = tableRows.possible(tableRows.find(index.name()), rows);
            if (!possible.containsAll(found)) {
              work.problem(
                  ("unfinished index " + index.name() + " has " + found)
                      + (", and the rows say at most " + possible));
            }
          }
        });
    return finished;
  }

  private List<String> entries(EmbeddedCanopy db, ReadTransaction tx, String name, int number) {
    if (!OpenedTable.hasEntries(db, number)) {
      return List.of();
    }
    return tableRows.find(name).isUnique()
        ? TableRows.unique(tx.on(OpenedTable.unique(db, number)))
        : TableRows.many(tx.on(OpenedTable.many(db, number)));
  }

  // ---- at rest

  /** Ends what was left unfinished, and looks for what must not be left. */
  void finish(EmbeddedCanopy db) {
    if (OpenedTable.isPart(db)) {
      work.count("creations ended");
    }
    opened.at(db); // all that were creating it may have died
    StoredTable before = stored(db);
    for (Seen seen : ready) {
      Kept now = before.indexes().get(seen.number());
      if (stays(seen) && (now == null || now.state() != IndexState.READY)) {
        work.problem("an index was ready, and is " + now + ": " + seen);
      }
    }
    for (Seen seen : built) {
      boolean there = before.indexes().containsValue(new Kept(seen.name(), IndexState.READY));
      if (!there && stays(seen)) {
        work.problem("an index was built, and there is only " + before + ": " + seen);
      }
    }
    before.indexes().values().forEach(index -> settle(db, index));
    StoredTable after = stored(db);
    after
        .indexes()
        .forEach((number, index) -> {
          if (index.state() != IndexState.READY) {
            work.problem("index " + number + " is left " + index);
          }
        });
    for (int number = 1; number <= after.numbers(); number++) {
      long entries = after.indexes().containsKey(number) ? 0 : OpenedTable.entries(db, number);
      if (entries > 0) {
        work.problem("index " + number + " is gone, and has left " + entries + " entries");
      }
    }
  }

  private StoredTable stored(EmbeddedCanopy db) {
    Index<String, byte[]> kept = OpenedTable.kept(db);
    return db.read(work.after(), tx -> StoredTable.read(tx.on(kept).get(StoredTable.KEY)));
  }

  /** A call after all others has to end each build and each removal. */
  private void settle(EmbeddedCanopy db, Kept index) {
    Table<Long, String> table = opened.at(db);
    if (index.state() == IndexState.DROPPING) {
      work.count("removals ended");
      table.dropIndex(index.name());
    } else if (index.state() == IndexState.BUILDING) {
      work.count("builds ended");
      try {
        table.createIndex(tableRows.find(index.name()));
      } catch (HandleWork.Refused e) {
        work.count("builds refused");
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.UNIQUE_VIOLATION) {
          throw e;
        }
        work.count("builds refused");
      }
    }
  }
}
