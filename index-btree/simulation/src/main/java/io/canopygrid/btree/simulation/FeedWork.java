package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Clients that keep copies of an index by feeds of its changes, while others write. */
final class FeedWork extends HandleWork {
  private static final int RANDOM = 3_900;
  private static final int WRITERS = 3;
  private static final int FOLLOWERS = 3;
  private static final int WORKS_MAX = 6;
  private static final int SETS_AT_ONCE_MAX = 4;

  /** In which a grid forgets what nothing keeps, in units of virtual time. */
  private static final int ABSENT_FOR = 600;

  /** The looks at rest, in each of which all changes should have come. */
  private static final int LOOKS_MAX = 50;

  private static final List<Long> KEYS = List.of(0L, 1L, 2L, 3L, 4L, 5L);

  private final int works;
  private final boolean longReaders;
  private final Map<Integer, Told> tolds = new HashMap<>();
  private final Map<Integer, FeedCheck.Read> reads = new HashMap<>();
  private final List<Follower> followers = new ArrayList<>();

  FeedWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "feeds");
    this.longReaders = run.longReaders();
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(grid.random(RANDOM + i));
      grid.client(
          "writer of feeds " + i, 3 + 4L * i, () -> writer.repeat(3 * works, writer::write));
    }
    for (int i = 0; i < FOLLOWERS; i++) {
      Follower follower = new Follower(i, grid.random(RANDOM + 10 + i));
      followers.add(follower);
      grid.client(
          "follower " + i,
          20 + 15L * i,
          () -> {
            follower.repeat(4 * works, follower::follow);
            follower.close(); // at rest no transaction is to be open
          });
    }
  }

  @Override
  public void finish() {
    for (Follower follower : followers) {
      atRest(grid.usable().get(0), follower::rest);
    }
    for (GmuNode node : grid.usable()) {
      atRest(node, db -> rest(db, listsOf(state(db, after()))));
    }
  }

  private static Map<Long, List<Integer>> listsOf(Map<Long, String> state) {
    Map<Long, List<Integer>> lists = new TreeMap<>();
    for (long key : KEYS) {
      lists.put(key, NumberLists.of(state.get(key)));
    }
    return lists;
  }

  private Map<Long, String> state(EmbeddedCanopy db, TransactionOptions options) {
    Index<Long, String> lists = lists(db);
    return db.read(
        options,
        tx -> {
          Map<Long, String> state = new TreeMap<>();
          try (Cursor<Long, String> entries = tx.on(lists).scan(Range.all())) {
            entries.forEach(entry -> state.put(entry.getKey(), entry.getValue()));
          }
          return state;
        });
  }

  /** A client that appends to lists, and turns a switch with each commit. */
  private final class Writer extends HandleClient {
    Writer(SeededRandom random) {
      super(random);
    }

    void write() {
      List<Long> keys = random.sample(KEYS, random.oneOf(1, 1, 2, 3));
      Told told = next(keys);
      tolds.put(told.number, told);
      long other = random.oneOf(KEYS);
      use(grid.anyUsable(random), told, db -> write(db, told, other));
    }

    private void write(EmbeddedCanopy db, Told told, long other) {
      Index<Long, String> lists = lists(db);
      db.run(
          TransactionOptions.DEFAULTS.withTimeout(PATIENCE),
          tx -> {
            MutableView<Long, String> view = tx.on(lists);
            if (!told.keys.contains(other)) {
              int size = NumberLists.of(view.get(other)).size();
              reads.put(told.number, new FeedCheck.Read(other, size));
            }
            for (long key : told.keys) {
              view.put(key, NumberLists.with(view.get(key), told.number));
              pause(random);
            }
            turn(view, FeedCheck.SWITCHES + random.below(3), told);
          });
    }

    private void turn(MutableView<Long, String> view, long key, Told told) {
      if (view.get(key) == null) {
        view.put(key, NumberLists.with(null, told.number));
      } else {
        view.remove(key);
      }
    }
  }

  /** A client that keeps a copy. */
  private final class Follower extends HandleClient {
    private final int place;
    private final FeedCheck check;

    /** Whether the snapshot with which the copy began is kept, so that no change may be lost. */
    private final boolean keepsSnapshot;

    /**
     * Whether the feed that is open went on from a position: the horizon may have been on its way
     * beyond that then.
     */
    private boolean wentOn;

    private int snapshots;
    private @Nullable String snapshot;
    private @Nullable ChangeFeed<Long, String> feed;
    private @Nullable GmuNode at;
    private @Nullable FeedPosition position;

    Follower(int place, SeededRandom random) {
      super(random);
      this.place = place;
      this.keepsSnapshot = random.chance(0.5);
      this.check =
          new FeedCheck(FeedWork.this, random.chance(0.7) ? Long.MAX_VALUE : 2, tolds, reads);
    }

    void follow() {
      if (random.chance(0.1)) {
        close();
        grid.sleep(random.oneOf(10, ABSENT_FOR));
      }
      GmuNode node = at;
      if (node == null || !grid.usable().contains(node) || random.chance(0.1)) {
        node = grid.anyUsable(random);
      }
      follow(node);
    }

    private void follow(GmuNode node) {
      if (!node.equals(at)) {
        close();
      }
      at = node;
      if (!use(node, null, this::step)) {
        close();
        count("feeds lost");
      }
    }

    private void step(EmbeddedCanopy db) {
      ChangeFeed<Long, String> open = feed == null ? open(db) : feed;
      feed = open;
      for (int i = 0; i < SETS_AT_ONCE_MAX; i++) {
        ChangeSet<Long, String> set = next(open);
        if (set != null) {
          check.apply(set);
        }
        position = open.position();
      }
      if (!keepsSnapshot) {
        drop(db);
      }
    }

    /** A feed keeps what it has not told, from its beginning on. */
    private @Nullable ChangeSet<Long, String> next(ChangeFeed<Long, String> open) {
      try {
        return open.next(Duration.ofMillis(random.oneOf(0, 0, 5, 20)));
      } catch (CanopyException e) {
        if (e.code() == ErrorCode.CHANGES_LOST && !wentOn && !longReaders) {
          problem("an open feed has lost changes: " + e);
        }
        throw e;
      }
    }

    private ChangeFeed<Long, String> open(EmbeddedCanopy db) {
      Index<Long, String> lists = lists(db);
      FeedPosition after = position;
      if (after == null) {
        return begin(db, lists);
      }
      ChangeFeed<Long, String> opened =
          db.changes(lists, FeedOptions.<Long>after(after).in(check.range()));
      check.opens();
      wentOn = true;
      try {
        // The first answer says whether all is kept.
        ChangeSet<Long, String> set = opened.next(Duration.ZERO);
        if (set != null) {
          check.apply(set);
        }
        count("resumed");
        return opened;
      } catch (CanopyException e) {
        opened.close();
        if (e.code() != ErrorCode.CHANGES_LOST) {
          throw e;
        }
        count("changes lost");
        if (keepsSnapshot) {
          problem("changes are lost that a snapshot keeps: " + e);
        }
        position = null;
        return begin(db, lists);
      }
    }

    private ChangeFeed<Long, String> begin(EmbeddedCanopy db, Index<Long, String> lists) {
      drop(db);
      String name = name(++snapshots);
      snapshot = name; // it may be there where the outcome is not told
      db.snapshot(name);
      check.begins(state(db, TransactionOptions.DEFAULTS.withTimeout(PATIENCE).at(name)));
      count("begun");
      wentOn = false;
      return db.changes(lists, FeedOptions.<Long>since(name).in(check.range()));
    }

    private String name(int number) {
      return "follower-" + place + "-" + number;
    }

    private void drop(EmbeddedCanopy db) {
      String old = snapshot;
      if (old != null) {
        db.dropSnapshot(old);
        snapshot = null;
      }
    }

    private void close() {
      ChangeFeed<Long, String> open = feed;
      feed = null;
      if (open != null) {
        open.close();
      }
    }

    /** All changes come at last. */
    void rest(EmbeddedCanopy db) {
      GmuNode here = grid.usable().get(0);
      for (int look = 0; look < LOOKS_MAX; look++) {
        follow(here);
        if (check.isLike(state(db, after()))) {
          count("compared");
          close();
          // One of them may have been taken after it was dropped in vain.
          IntStream.rangeClosed(1, snapshots).forEach(number -> db.dropSnapshot(name(number)));
          return;
        }
        grid.sleep(20);
      }
      problem("a follower has " + check + ", and the index is " + state(db, after()));
      close();
    }
  }
}
