package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.ReadFrom;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Clients that drop indexes and create them again, beside others that write them, read them, and
 * read named snapshots from before the drops; and the same of a table.
 */
final class DropWork extends HandleWork {
  private static final int RANDOM = 3_600;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int DROPPERS = 2;
  private static final int KEEPERS = 2;
  private static final int WORKS_MAX = 5;
  private static final String SNAPSHOT = "ds";
  private static final List<Long> KEYS = LongStream.range(0, 12).boxed().toList();

  private final int works;
  private final boolean calm;
  private final DropCheck check = new DropCheck(this);
  private final DroppedTable table;

  /** By node the handles of indexes that it has opened, the dropped ones as well. */
  private final Map<EmbeddedCanopy, List<Opened>> opened = new HashMap<>();

  DropWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "drops");
    this.works = Math.min(WORKS_MAX, run.transactions());
    this.calm = run.calm();
    this.table = new DroppedTable(this);
  }

  /**
   * A handle of an index.
   *
   * @param name the place of its name, and the key of its list
   * @param number the number of the index in the grid
   */
  private record Opened(long name, int number, Index<Long, String> index) {}

  private Opened open(EmbeddedCanopy db, long name) {
    long began = grid.now();
    IndexOptions small = new IndexOptions(ENTRIES_MAX);
    Index<Long, String> index = db.index("d" + name, Codec.int64(), Codec.string(), small);
    Opened found = new Opened(name, SimulatedHandle.numberOf(db, index), index);
    check.seen(name, found.number(), began);
    List<Opened> known = opened.computeIfAbsent(db, any -> new ArrayList<>());
    if (!known.contains(found)) {
      known.add(found);
    }
    return found;
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + i), i);
      grid.client(
          "writer of what is dropped " + i,
          2 + 3L * i,
          () -> client.repeat(3 * works, client::write));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i), i);
      grid.client(
          "reader of what is dropped " + i,
          9 + 5L * i,
          () -> client.repeat(2 * works, client::read));
    }
    for (int i = 0; i < DROPPERS; i++) {
      Client client = new Client(grid.random(RANDOM + 20 + i), i);
      grid.client("dropper " + i, 60 + 7L * i, () -> client.repeat(works, client::drop));
    }
    for (int i = 0; i < KEEPERS; i++) {
      Client client = new Client(grid.random(RANDOM + 30 + i), i);
      grid.client("keeper " + i, 40 + 11L * i, () -> client.repeat(works, client::keep));
    }
    table.start(grid, RANDOM + 40, works);
  }

  @Override
  public void finish() {
    List<GmuNode> nodes = grid.usable();
    atRest(
        nodes.get(0),
        db -> {
          for (int i = 0; i < KEEPERS; i++) {
            db.dropSnapshot(SNAPSHOT + i);
          }
        });
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            for (long name : DropCheck.NAMES) {
              Opened at = open(db, name);
              check.rests(name, at.number());
              rest(db, db.read(after(), tx -> look(tx.on(at.index()), tx.on(lists(db)), at)));
            }
            rest(db, table.rest(db));
          });
    }
  }

  @Override
  public List<String> check() {
    List<String> problems = new ArrayList<>(check.countDrops());
    problems.addAll(check.findLateWrites(last));
    problems.addAll(super.check());
    return problems;
  }

  /** Compares an index with what its commits say; their list. */
  private Map<Long, List<Integer>> look(
      ReadView<Long, String> view, ReadView<Long, String> lists, Opened at) {
    Map<Long, String> found = DropCheck.entries(view);
    List<Integer> list = NumberLists.of(lists.get(at.name()));
    check.isOf(at.number(), found, list, "index d" + at.name());
    return Map.of(at.name(), list);
  }

  /** One client. */
  private final class Client extends HandleClient {
    private final String snapshot;

    Client(SeededRandom random, int number) {
      super(random);
      this.snapshot = SNAPSHOT + number;
    }

    private long anyName() {
      return random.oneOf(DropCheck.NAMES);
    }

    private TransactionOptions options() {
      return TransactionOptions.DEFAULTS
          .withTimeout(PATIENCE)
          .withMaxAttempts(random.oneOf(1, 5, 50));
    }

    /** An index of the name, or, at times, one that had it before. */
    private Opened anyOf(EmbeddedCanopy db, long name) {
      List<Opened> known = opened.getOrDefault(db, List.of());
      List<Opened> same = known.stream().filter(each -> each.name() == name).toList();
      return same.isEmpty() || random.chance(0.7) ? open(db, name) : random.oneOf(same);
    }

    void write() {
      long name = anyName();
      Told told = next(List.of(name));
      Map<Long, String> values = new TreeMap<>();
      List<Long> keys = random.sample(KEYS, random.oneOf(1, 2, 4));
      for (long key : keys) {
        values.put(key, random.chance(0.8) ? DropCheck.value(told.number) : "");
      }
      use(
          grid.anyUsable(random),
          told,
          db -> {
            Opened at = anyOf(db, name);
            check.intend(told, at.number(), values);
            boolean isMarked = calm && check.isMarked(name, at.number());
            grid.note("commit " + told.number + " is to write " + values + " into " + at);
            db.run(
                options(),
                tx -> {
                  MutableView<Long, String> view = tx.on(at.index());
                  values.forEach((key, value) -> {
                    if (value.isEmpty()) {
                      view.remove(key);
                    } else {
                      view.put(key, value);
                    }
                    pause(random);
                  });
                  MutableView<Long, String> appended = tx.on(lists(db));
                  appended.put(name, NumberLists.with(appended.get(name), told.number));
                });
            count("written");
            if (isMarked) {
              problem("a write into " + at + " was committed after its drop had returned");
            }
          });
    }

    void read() {
      long name = anyName();
      TransactionOptions options =
          options().withReadFrom(random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY);
      use(
          grid.anyUsable(random),
          null,
          db -> {
            Opened at = anyOf(db, name);
            try {
              db.read(options, tx -> look(tx.on(at.index()), tx.on(lists(db)), at));
              count("compared");
            } catch (CanopyException e) {
              checkGone(e, at);
              throw e;
            }
          });
    }

    private void checkGone(CanopyException e, Opened at) {
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        count("gone");
        if (!check.mayBeDropped(at.name(), at.number())) {
          problem("nobody has dropped " + at + ", and " + e);
        }
      }
    }

    void drop() {
      long name = anyName();
      if (random.chance(0.4)) {
        dropTwice(name);
      } else {
        int newest = check.newest(name);
        DropCheck.Call call = check.drops(name);
        grid.note("d" + name + " is to be dropped, number " + newest + " or less");
        if (use(grid.anyUsable(random), null, db -> call.told(db.dropIndex("d" + name)))) {
          dropped(call, newest);
        }
      }
      if (random.chance(0.6)) {
        use(grid.anyUsable(random), null, db -> open(db, name));
      }
    }

    /** A client of servers, which has lost the answer and asks another one for the same. */
    private void dropTwice(long name) {
      int[] number = new int[1];
      use(grid.anyUsable(random), null, db -> number[0] = db.served().find("d" + name).number());
      if (number[0] == 0) {
        return;
      }
      DropCheck.Call call = check.drops(name);
      grid.note("d" + name + " is to be dropped twice, number " + number[0] + " or less");
      boolean[] dropped = new boolean[1];
      boolean told = true;
      for (int i = 0; i < 2; i++) {
        told &=
            use(
                grid.anyUsable(random),
                null,
                db -> dropped[0] |= db.served().dropIndex("d" + name, number[0]));
        grid.sleep(random.oneOf(1, 20, 100));
        if (random.chance(0.5)) {
          use(grid.anyUsable(random), null, db -> open(db, name));
        }
      }
      if (told) {
        call.told(dropped[0]);
        dropped(call, number[0]);
      }
    }

    private void dropped(DropCheck.Call call, int number) {
      count(call.hasDropped() ? "dropped" : "not there");
      check.dropped(call, number);
      grid.note("nothing has number " + number + " any more");
    }

    /** Takes a snapshot, and reads it while others drop what is in it. */
    void keep() {
      long name = anyName();
      long began = grid.now();
      int[] number = new int[1];
      boolean taken =
          use(
              grid.anyUsable(random),
              null,
              db -> {
                number[0] = open(db, name).number();
                db.snapshot(snapshot);
              });
      if (!taken) {
        return;
      }
      int sure = check.isDroppedSince(name, began) ? 0 : number[0];
      count(sure > 0 ? "sure snapshots" : "snapshots");
      grid.note("snapshot " + snapshot + " of d" + name + " has " + sure);
      int looks = random.between(2, 5);
      for (int i = 0; i < looks; i++) {
        grid.sleep(random.oneOf(5, 60, 200, 600));
        use(grid.anyUsable(random), null, db -> lookBack(db, name, sure));
      }
      use(grid.anyUsable(random), null, db -> db.dropSnapshot(snapshot));
    }

    /**
     * Reads the snapshot.
     *
     * @param sure the number of the index that it shows; 0: that is not known
     */
    private void lookBack(EmbeddedCanopy db, long name, int sure) {
      Opened at = anyOf(db, name);
      try {
        db.read(
            TransactionOptions.DEFAULTS.withTimeout(PATIENCE).at(snapshot),
            tx -> {
              Map<Long, String> found = DropCheck.entries(tx.on(at.index()));
              List<Integer> list = NumberLists.of(tx.on(lists(db)).get(name));
              if (sure > 0 && sure <= at.number()) {
                check.isOf(sure, found, list, "in " + snapshot + " by " + at);
                count(sure == at.number() ? "compared in snapshots" : "predecessors compared");
              } else {
                check.isOfAny(found, list, "in " + snapshot + " by " + at);
              }
              return tx;
            });
      } catch (CanopyException e) {
        if (e.code() == ErrorCode.UNKNOWN_INDEX && sure > 0 && sure <= at.number()) {
          problem("snapshot " + snapshot + " shows " + sure + ", and by " + at + ": " + e);
        }
        throw e;
      }
    }
  }
}
