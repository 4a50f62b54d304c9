package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.btree.simulation.PageCheck.Page;
import io.canopygrid.btree.simulation.PagedWalk.Position;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Clients that read an index page by page, with long pauses, while others write it: in one
 * transaction, in one transaction for each page, and in a named snapshot, which others drop and
 * take again. A page's lists say which commits it has to show.
 */
final class CursorWork extends HandleWork {
  private static final String INDEX = "pages";
  private static final int RANDOM = 3_400;
  private static final int WRITERS = 3;
  private static final int READERS = 4;
  private static final int WORKS_MAX = 5;
  private static final List<String> SNAPSHOTS = List.of("s0", "s1");

  private final int works;
  private final PageCheck check = new PageCheck(this);
  private final TreeSet<String> dropped = new TreeSet<>();

  CursorWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "cursors");
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  private static Index<Long, String> pages(EmbeddedCanopy db) {
    return db.index(INDEX, Codec.int64(), Codec.string(), new IndexOptions(ENTRIES_MAX));
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + i));
      grid.client(
          "writer of pages " + i, 2 + 3L * i, () -> client.repeat(3 * works, client::write));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i));
      grid.client("reader of pages " + i, 20 + 7L * i, () -> client.repeat(works, client::read));
    }
  }

  @Override
  public void finish() {
    List<GmuNode> nodes = grid.usable();
    atRest(nodes.get(0), db -> SNAPSHOTS.forEach(db::dropSnapshot));
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            if (!db.snapshots().isEmpty()) {
              problem("snapshots are left: " + db.snapshots());
            }
            Index<Long, String> pages = pages(db);
            Index<Long, String> lists = lists(db);
            db.read(
                after(),
                tx -> {
                  Page page = new Page(false);
                  tx.on(pages).scan().forEach(page::add);
                  page.covers(0, PageCheck.KEYS - 1L);
                  check.check(page, lists(tx.on(lists), PageCheck.GROUPS));
                  rest(db, lists(tx.on(lists), PageCheck.GROUPS));
                  return tx;
                });
          });
    }
  }

  /** One client. */
  private final class Client {
    private final SeededRandom random;

    Client(SeededRandom random) {
      this.random = random;
    }

    void repeat(int times, Runnable work) {
      for (int i = 0; i < times; i++) {
        grid.sleep(random.oneOf(1, 5, 30, 90));
        work.run();
      }
    }

    void write() {
      Map<Long, String> values = new TreeMap<>();
      List<Long> keys = random.sample(PageCheck.keys(), random.oneOf(1, 2, 3, 4));
      Told told = next(PageCheck.groups(keys));
      for (long key : keys) {
        if (random.chance(0.7)) {
          values.put(key, PageCheck.value(told.number, key));
        }
      }
      check.intend(told, keys, values);
      use(
          grid.anyUsable(random),
          told,
          db -> {
            Index<Long, String> pages = pages(db);
            Index<Long, String> lists = lists(db);
            TransactionOptions options = TransactionOptions.DEFAULTS.withTimeout(PATIENCE);
            db.run(
                options.withMaxAttempts(random.oneOf(1, 5, 50)),
                tx -> {
                  MutableView<Long, String> view = tx.on(pages);
                  for (long key : keys) {
                    String value = values.get(key);
                    if (value == null) {
                      view.remove(key);
                    } else {
                      view.put(key, value);
                    }
                    pause(random);
                  }
                  MutableView<Long, String> appended = tx.on(lists);
                  for (long group : told.keys) {
                    appended.put(group, NumberLists.with(appended.get(group), told.number));
                  }
                });
          });
    }

    void read() {
      switch (random.below(3)) {
        case 0 -> inOneTransaction();
        case 1 -> pageByPage(TransactionOptions.DEFAULTS, List.of());
        default -> inSnapshot();
      }
    }

    private TransactionOptions options(TransactionOptions base) {
      return base.withTimeout(PATIENCE)
          .withReadFrom(random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY);
    }

    /** One transaction for all pages, with long pauses between them. */
    private void inOneTransaction() {
      PagedWalk walk = new PagedWalk(grid, random);
      boolean looksFirst = random.chance(0.5);
      boolean ended =
          use(
              grid.anyUsable(random),
              null,
              db -> {
                Index<Long, String> pages = pages(db);
                Index<Long, String> lists = lists(db);
                db.read(
                    options(TransactionOptions.DEFAULTS),
                    tx -> {
                      walk.goBack(null);
                      Map<Long, List<Integer>> before =
                          looksFirst ? lists(tx.on(lists), PageCheck.GROUPS) : Map.of();
                      List<Page> read = new ArrayList<>();
                      while (!walk.isOver()) {
                        read.add(walk.next(tx.on(pages)));
                        longPause();
                      }
                      Map<Long, List<Integer>> now = lists(tx.on(lists), PageCheck.GROUPS);
                      check.goesOn(before, now, true);
                      read.forEach(page -> check.check(page, now));
                      return tx;
                    });
              });
      count(ended ? "walks in one transaction" : "walks given up");
    }

    private void longPause() {
      grid.sleep(random.oneOf(1, 10, 100, 400));
    }

    /** A snapshot that this client takes, or another one has taken; it may be dropped meanwhile. */
    private void inSnapshot() {
      String name = random.oneOf(SNAPSHOTS);
      List<Told> before = all.stream().filter(Told::isCommitted).toList();
      boolean taken =
          use(
              grid.anyUsable(random),
              null,
              db -> {
                db.snapshot(name);
                count("snapshots taken");
              });
      longPause();
      pageByPage(TransactionOptions.DEFAULTS.at(name), taken ? before : List.of());
      if (random.chance(0.7)) {
        dropped.add(name);
        use(grid.anyUsable(random), null, db -> db.dropSnapshot(name));
      }
    }

    /**
     * A transaction for each page, at any node.
     *
     * @param shows commits that each page has to show
     */
    private void pageByPage(TransactionOptions first, List<Told> shows) {
      boolean isOne = !first.snapshot().isEmpty();
      PagedWalk walk = new PagedWalk(grid, random);
      List<Map<Long, List<Integer>>> seen = new ArrayList<>();
      boolean goesOn = true;
      while (goesOn && !walk.isOver()) {
        goesOn =
            use(
                grid.anyUsable(random),
                null,
                db -> {
                  Map<Long, List<Integer>> now = page(db, first, walk);
                  seen.forEach(before -> check.goesOn(before, now, isOne));
                  check.shows(now, shows);
                  seen.add(now);
                });
        longPause();
      }
      String how = isOne ? " of a snapshot" : " of the present";
      count((goesOn ? "walks" : "walks given up") + how);
    }

    /** The next page; the lists of its snapshot. */
    private Map<Long, List<Integer>> page(
        EmbeddedCanopy db, TransactionOptions first, PagedWalk walk) {
      Index<Long, String> pages = pages(db);
      Index<Long, String> lists = lists(db);
      Position before = walk.position();
      try {
        return db.read(
            options(before == null ? first : first.resuming(before.token())),
            tx -> {
              walk.goBack(before);
              Map<Long, List<Integer>> now = lists(tx.on(lists), PageCheck.GROUPS);
              check.check(walk.next(tx.on(pages)), now);
              return now;
            });
      } catch (CanopyException e) {
        walk.goBack(before);
        if (e.code() == ErrorCode.SNAPSHOT_TOO_OLD && !dropped.contains(first.snapshot())) {
          problem("nobody has dropped the snapshot, and " + e);
        }
        throw e;
      }
    }
  }
}
