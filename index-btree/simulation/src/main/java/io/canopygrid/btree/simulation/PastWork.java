package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.catalog.MarkKeeper;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedClocks;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clients that read states of the past, while others write, and others mark the present. */
final class PastWork extends HandleWork {
  private static final int RANDOM = 3_800;
  private static final int WRITERS = 3;
  private static final int READERS = 3;
  private static final int KEEPERS = 2;
  private static final int WORKS_MAX = 5;
  private static final int STEP_MILLIS = 4;

  /** Between two rounds of a keeper, in units of virtual time. */
  private static final int ROUND_EVERY = 25;

  /** Clocks that are wrong let a time come late, or never: a run must not wait for many of them. */
  private static final Duration PATIENCE_OF_READERS = Duration.ofMillis(500);

  /** Between two marks at the end, which is longer than a step. */
  private static final int REST = 100;

  /** The states that are looked at when all clients have ended. */
  private static final int LAST = 5;

  private static final List<Long> KEYS = List.of(0L, 1L, 2L, 3L);

  private final int works;
  private final boolean skew;
  private final boolean longReaders;
  private final int retentionMillis;
  private final PastCheck check;
  private int readersLeft = READERS;

  /** Whether a mark was told: a node's copy of TOP can show one before transactions do. */
  private boolean isMarked;

  PastWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "past");
    this.works = Math.min(WORKS_MAX, run.transactions());
    this.skew = run.skew();
    this.longReaders = run.longReaders();
    this.retentionMillis = grid.random(RANDOM).oneOf(20, 100, 10_000);
    this.check = new PastCheck(this, skew);
  }

  @Override
  public void start() {
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i));
      grid.client(
          "writer of the past " + i, 2 + 3L * i, () -> client.repeat(3 * works, client::write));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 20 + i));
      grid.client(
          "reader of the past " + i,
          60 + 7L * i,
          () -> {
            client.repeat(3 * works, client::read);
            readersLeft--;
          });
    }
    for (int i = 0; i < KEEPERS; i++) {
      Keeper keeper = new Keeper();
      grid.client("keeper of the past " + i, 10 + 9L * i, keeper::run);
    }
  }

  @Override
  public void finish() {
    List<GmuNode> nodes = grid.usable();
    Keeper keeper = new Keeper();
    for (int marks = 0; marks < 2; marks++) {
      nodes.forEach(node -> atRest(node, db -> keeper.round(node, db)));
      grid.sleep(REST);
    }
    nodes.forEach(node -> atRest(node, this::rest));
    for (GmuNode node : nodes) {
      atRest(node, db -> new MarkKeeper(node, SimulatedHandle.marks(db), 0, STEP_MILLIS).round());
    }
    nodes.forEach(node -> atRest(node, db -> isGone(db, wallMillis(node))));
  }

  /** The last mark is not told, as there is none behind it. */
  private void rest(EmbeddedCanopy db) {
    List<Long> times = SimulatedHandle.marks(db).times();
    List<Long> told = times.subList(0, times.size() - 1);
    for (long time : told.subList(Math.max(0, told.size() - LAST), told.size())) {
      long began = grid.now();
      atRest(db, time).ifPresent(lists -> check.saw(time, lists, began));
    }
    Map<Long, List<Integer>> now = read(db, after());
    check.rests(now, grid.now());
    rest(db, now);
    atRest(db, told.get(told.size() - 1))
        .ifPresent(lists -> {
          if (!lists.equals(now)) {
            problem("at rest the newest state is not the present one, which is " + now);
          }
        });
  }

  /** The state of a time; empty where the node's clock is wrong, and takes it for the future. */
  private Optional<Map<Long, List<Integer>>> atRest(EmbeddedCanopy db, long time) {
    try {
      return Optional.of(read(db, at(time)));
    } catch (CanopyException e) {
      if (skew && e.code() == ErrorCode.INVALID_ARGUMENT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void isGone(EmbeddedCanopy db, long time) {
    try {
      problem("all states are dropped, and one is " + read(db, at(time)));
    } catch (CanopyException e) {
      boolean isAhead = skew && e.code() == ErrorCode.INVALID_ARGUMENT;
      if (e.code() != ErrorCode.UNKNOWN_SNAPSHOT && !isAhead) {
        throw e;
      }
    }
  }

  private Map<Long, List<Integer>> read(EmbeddedCanopy db, TransactionOptions options) {
    Index<Long, String> lists = lists(db);
    return db.read(options, tx -> lists(tx.on(lists), KEYS));
  }

  private static TransactionOptions at(long millis) {
    return TransactionOptions.DEFAULTS
        .withTimeout(PATIENCE_OF_READERS)
        .asOf(Instant.ofEpochMilli(millis));
  }

  /** The right time, which the machines' clocks show where they are right. */
  private static long wallMillis(GmuNode node) {
    return new SimulatedClocks(node.threads()).wallMillis();
  }

  /** Marks the present at the node that has to do it. */
  private final class Keeper {
    private final Map<NodeId, MarkKeeper> keepers = new HashMap<>();

    void run() {
      while (readersLeft > 0) {
        grid.sleep(ROUND_EVERY);
        grid.usable().forEach(node -> use(node, null, db -> round(node, db)));
      }
    }

    void round(GmuNode node, EmbeddedCanopy db) {
      List<Told> before = all.stream().filter(Told::isCommitted).toList();
      MarkKeeper keeper =
          keepers.computeIfAbsent(
              node.self(),
              self ->
                  new MarkKeeper(node, SimulatedHandle.marks(db), retentionMillis, STEP_MILLIS));
      if (keeper.round()) {
        isMarked = true;
        count("marked");
        check.marked(wallMillis(node), before);
      }
    }
  }

  /** One client. */
  private final class Client extends HandleClient {
    Client(SeededRandom random) {
      super(random);
    }

    void write() {
      Told told = next(random.sample(KEYS, random.oneOf(1, 2, 3)));
      GmuNode node = grid.anyUsable(random);
      check.begins(told, wallMillis(node));
      use(
          node,
          told,
          db -> {
            Index<Long, String> lists = lists(db);
            db.run(
                TransactionOptions.DEFAULTS.withTimeout(PATIENCE),
                tx -> {
                  MutableView<Long, String> view = tx.on(lists);
                  for (long key : told.keys) {
                    view.put(key, NumberLists.with(view.get(key), told.number));
                    pause(random);
                  }
                });
          });
    }

    void read() {
      GmuNode node = grid.anyUsable(random);
      use(node, null, db -> read(node, db));
    }

    private void read(GmuNode node, EmbeddedCanopy db) {
      long began = grid.now();
      boolean wasMarked = isMarked;
      List<Long> known = SimulatedHandle.marks(db).times();
      long time = anyTime(node, known);
      ReadFrom from = random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY;
      try {
        check.saw(time, PastWork.this.read(db, at(time).withReadFrom(from)), began);
        count("states");
      } catch (CanopyException e) {
        boolean isKept = wasMarked && !known.isEmpty() && known.get(0) <= time;
        boolean isGone =
            e.code() == ErrorCode.UNKNOWN_SNAPSHOT
                || (e.code() == ErrorCode.SNAPSHOT_TOO_OLD && !longReaders);
        if (isGone
            && isKept
            && !skew
            && !grid.isAnyCut(began)
            && wallMillis(node) - time < retentionMillis) {
          problem("the state of " + time + " is to be kept, and " + e);
        }
        throw e;
      }
    }

    private long anyTime(GmuNode node, List<Long> known) {
      List<Long> asked = check.times();
      if (!asked.isEmpty() && random.chance(0.4)) {
        return random.oneOf(asked);
      }
      if (!known.isEmpty() && (skew || random.chance(0.5))) {
        return random.oneOf(known) + random.between(-2, 3);
      }
      return wallMillis(node) - random.between(0, Math.min(retentionMillis, 40));
    }
  }
}
