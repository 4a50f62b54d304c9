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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
  private final boolean longReaders;
  private final PageCheck check = new PageCheck(this);
  private final Drops drops = new Drops();

  CursorWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "cursors");
    this.works = Math.min(WORKS_MAX, run.transactions());
    this.longReaders = run.longReaders();
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
    atRest(nodes.get(0), db -> SNAPSHOTS.forEach(name -> db.dropSnapshot(name)));
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            // Other work may have left snapshots of its own.
            if (db.snapshots().stream().anyMatch(left -> SNAPSHOTS.contains(left.name()))) {
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

  /** The calls that drop snapshots. */
  private static final class Drops {
    /** By name the calls that have not ended, or not by an answer: these may take effect yet. */
    private final Map<String, Integer> open = new HashMap<>();

    private final Map<String, Long> ended = new HashMap<>();

    void begin(String name) {
      open.merge(name, 1, Integer::sum);
    }

    void end(String name, long now) {
      open.merge(name, -1, Integer::sum);
      ended.put(name, now);
    }

    /** Whether one may have taken effect since a time. */
    boolean mayBeSince(String name, long since) {
      return open.getOrDefault(name, 0) > 0 || ended.getOrDefault(name, -1L) >= since;
    }
  }

  /** One client. */
  private final class Client extends HandleClient {
    Client(SeededRandom random) {
      super(random);
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
        case 1 -> pageByPage(TransactionOptions.DEFAULTS, List.of(), Long.MAX_VALUE);
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
      boolean ended = use(grid.anyUsable(random), null, db -> read(db, walk, looksFirst));
      count(ended ? "walks in one transaction" : "walks given up");
    }

    private void read(EmbeddedCanopy db, PagedWalk walk, boolean looksFirst) {
      Index<Long, String> pages = pages(db);
      Index<Long, String> lists = lists(db);
      try {
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
      } catch (CanopyException e) {
        checkGone(e, "", Long.MAX_VALUE);
        throw e;
      }
    }

    /**
     * A snapshot is gone only where somebody has dropped it.
     *
     * @param name of the snapshot; empty: the present
     */
    private void checkGone(CanopyException e, String name, long since) {
      boolean isGone =
          e.code() == ErrorCode.UNKNOWN_SNAPSHOT
              || (e.code() == ErrorCode.SNAPSHOT_TOO_OLD && !longReaders);
      if (isGone && !drops.mayBeSince(name, since)) {
        problem("nobody has dropped the snapshot, and " + e);
      }
    }

    private void longPause() {
      grid.sleep(random.oneOf(1, 10, 100, 400));
    }

    /** A snapshot that this client takes, or another one has taken; it may be dropped meanwhile. */
    private void inSnapshot() {
      String name = random.oneOf(SNAPSHOTS);
      List<Told> before = all.stream().filter(Told::isCommitted).toList();
      long began = grid.now();
      boolean taken =
          use(
              grid.anyUsable(random),
              null,
              db -> {
                db.snapshot(name);
                count("snapshots taken");
                grid.note("snapshot " + name + " is taken");
              });
      longPause();
      TransactionOptions first = TransactionOptions.DEFAULTS.at(name);
      if (taken) {
        pageByPage(first, before, began);
      } else {
        pageByPage(first, List.of(), Long.MIN_VALUE);
      }
      if (random.chance(0.7)) {
        drops.begin(name);
        grid.note("snapshot " + name + " is to be dropped");
        if (use(grid.anyUsable(random), null, db -> db.dropSnapshot(name))) {
          drops.end(name, grid.now());
          grid.note("snapshot " + name + " is dropped");
        }
      }
    }

    /**
     * A transaction for each page, at any node.
     *
     * @param shows commits that each page has to show
     * @param since before this time nobody had dropped the snapshot; the least one where that is
     *     not known
     */
    private void pageByPage(TransactionOptions first, List<Told> shows, long since) {
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
                  Map<Long, List<Integer>> now = page(db, first, walk, since);
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
        EmbeddedCanopy db, TransactionOptions first, PagedWalk walk, long since) {
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
        checkGone(e, first.snapshot(), since);
        throw e;
      }
    }
  }
}
