package io.canopygrid.btree.simulation;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.Range;
import io.canopygrid.ReadFrom;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.engine.PreparedTransactions.Decided;
import io.canopygrid.engine.PreparedTransactions.Ending;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Transaction managers whose transactions have Canopy and another resource in them, beside clients
 * that write and read the same keys in ordinary transactions. A manager prepares, writes its
 * decision down, and tells it. It dies at any of these steps. A recovery asks the grid again and
 * again what is in doubt, and ends it by what was written down: what was not decided is rolled
 * back. The other resource does what was decided, always.
 */
final class GlobalWork extends HandleWork {
  private static final int RANDOM = 4_100;
  private static final int MANAGERS = 4;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int WORKS_MAX = 6;
  private static final int FORMAT = 4_242;
  private static final List<Long> KEYS = LongStream.range(0, 16).boxed().toList();

  /** The moments at which a manager may die. */
  private enum Death {
    IN_THE_BODY,
    PREPARED,
    DECIDED,
    NEVER
  }

  private final int works;
  private final GlobalCheck check = new GlobalCheck();
  private final Map<Integer, Global> globals = new TreeMap<>();

  /** The clients that have not ended, without the recovery. */
  private int running;

  GlobalWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "global");
    this.works = Math.min(WORKS_MAX, run.transactions());
  }

  /** A global transaction, as its manager's log has it. */
  private static final class Global {
    final Told told;
    final BranchId id;

    /** Null: there is no decision yet. */
    @Nullable Boolean commits;

    /** Whether its manager works on it. */
    boolean isAlive = true;

    Global(Told told) {
      this.told = told;
      byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(told.number).array();
      this.id = BranchId.of(FORMAT, number, new byte[0]);
    }

    /** Decides where there is no decision yet; what it is. */
    boolean decide(boolean wanted) {
      if (commits == null) {
        commits = wanted;
      }
      return commits;
    }
  }

  @Override
  public void start() {
    for (int i = 0; i < MANAGERS; i++) {
      Decider client = new Decider(grid.random(RANDOM + i));
      start("transaction manager " + i, 2 + 3L * i, () -> client.repeat(works, client::manage));
    }
    for (int i = 0; i < WRITERS; i++) {
      Client client = new Client(grid.random(RANDOM + 10 + i));
      start(
          "writer beside managers " + i, 3 + 5L * i, () -> client.repeat(2 * works, client::write));
    }
    for (int i = 0; i < READERS; i++) {
      Client client = new Client(grid.random(RANDOM + 20 + i));
      start(
          "reader beside managers " + i, 9 + 5L * i, () -> client.repeat(2 * works, client::read));
    }
    Recovery recovery = new Recovery(grid.random(RANDOM + 30));
    grid.client("recovery", 20, recovery::run);
  }

  private void start(String client, long delay, Runnable work) {
    running++;
    grid.client(
        client,
        delay,
        () -> {
          try {
            work.run();
          } finally {
            running--;
          }
        });
  }

  private static IndexRef opened(EmbeddedCanopy db) {
    return NumberLists.open(db.served(), "global", ENTRIES_MAX);
  }

  // ---- decisions

  /** Ends a prepared transaction as it was decided; whether it has ended. */
  private boolean tell(EmbeddedCanopy db, Global global) {
    boolean commits = global.decide(false);
    PreparedTransactions prepared = SimulatedHandle.prepared(db);
    grid.takeCommitted();
    Decided decided = commits ? prepared.commit(global.id) : prepared.rollback(global.id);
    VectorClock clock = grid.takeCommitted();
    grid.note((commits ? "commit of " : "rollback of ") + global.told + ": " + decided.ending());
    if (decided.ending() == Ending.DONE) {
      count(commits ? "committed" : "rolled back");
      saw(Objects.requireNonNull(decided.clock()));
    }
    if (commits && decided.ending() == Ending.DONE && clock != null) {
      global.told.committed(clock, grid.now());
    }
    return true;
  }

  @Override
  public void finish() {
    List<GmuNode> nodes = grid.usable();
    atRest(
        nodes.get(0),
        db -> {
          for (PreparedTransaction left : SimulatedHandle.prepared(db).list()) {
            count("ended at rest");
            tell(db, of(left));
          }
          // A transaction that is decided and not in doubt was ended, or a cut has taken it.
          globals.values().forEach(global -> global.decide(false));
          if (!SimulatedHandle.prepared(db).list().isEmpty()) {
            problem("in doubt at rest: " + SimulatedHandle.prepared(db).list());
          }
        });
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            rest(db, db.read(after(), tx -> lists(tx.on(lists(db)), KEYS)));
            db.check(lists(db), PATIENCE);
          });
    }
    atRest(
        nodes.get(0),
        db ->
            db.run(
                TransactionOptions.DEFAULTS.withTimeout(PATIENCE),
                tx -> KEYS.forEach(key -> tx.on(lists(db)).remove(key))));
  }

  private Global of(PreparedTransaction left) {
    int number = ByteBuffer.wrap(left.id().getGlobalTransactionId()).getInt();
    Global global = globals.get(number);
    if (global == null || !left.id().equals(global.id)) {
      throw new IllegalStateException("nobody has prepared " + left);
    }
    return global;
  }

  @Override
  public List<String> check() {
    for (Global global : globals.values()) {
      boolean commits = Boolean.TRUE.equals(global.commits);
      global.told.told(
          commits ? CommitState.COMMITTED : CommitState.NOT_COMMITTED, "the manager's log");
    }
    List<String> problems = new ArrayList<>(check.check("global", last));
    problems.addAll(super.check());
    return problems;
  }

  /** The reads and writes of all clients. */
  private class Client extends HandleClient {
    Client(SeededRandom random) {
      super(random);
    }

    final TransactionOptions options() {
      return TransactionOptions.DEFAULTS
          .withTimeout(PATIENCE)
          .withMaxAttempts(random.oneOf(1, 5, 50))
          .withReadFrom(random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY);
    }

    /** Some keys, often few of them. */
    final List<Long> some() {
      return random.sample(KEYS, random.oneOf(1, 1, 2, 3));
    }

    void write() {
      Told told = next(some());
      List<Long> looks = some();
      boolean scans = random.chance(0.3);
      use(
          grid.anyUsable(random),
          told,
          db -> {
            Index<Long, String> lists = lists(db);
            db.run(
                options(),
                tx -> {
                  Map<Long, List<Integer>> seen = check.begin(told.number);
                  MutableView<Long, String> view = tx.on(lists);
                  look(view, looks, scans, seen);
                  for (long key : told.keys) {
                    String before = view.get(key);
                    seen.put(key, NumberLists.of(before));
                    view.put(key, NumberLists.with(before, told.number));
                    pause(random);
                  }
                });
            count("written beside");
          });
    }

    private void look(
        ReadView<Long, String> view,
        List<Long> keys,
        boolean scans,
        Map<Long, List<Integer>> seen) {
      if (scans) {
        long low = keys.get(0);
        Map<Long, List<Integer>> found = new TreeMap<>();
        view.scan(Range.closed(low, low + 3))
            .forEach(entry -> found.put(entry.getKey(), NumberLists.of(entry.getValue())));
        for (long key = low; key <= low + 3; key++) {
          seen.put(key, found.getOrDefault(key, List.of()));
        }
        return;
      }
      for (long key : keys) {
        seen.put(key, NumberLists.of(view.get(key)));
        pause(random);
      }
    }

    void read() {
      use(
          grid.anyUsable(random),
          null,
          db -> {
            Index<Long, String> lists = lists(db);
            Map<Long, List<Integer>> found =
                db.read(
                    options(),
                    tx -> {
                      Map<Long, List<Integer>> seen = new TreeMap<>();
                      for (long key : random.sample(KEYS, KEYS.size())) {
                        seen.put(key, NumberLists.of(tx.on(lists).get(key)));
                        pause(random);
                      }
                      return seen;
                    });
            compare(found);
          });
    }

    /** A snapshot shows all of a commit or nothing, and nothing that is not decided. */
    private void compare(Map<Long, List<Integer>> found) {
      check.reader(found);
      for (Told told : all) {
        long there =
            told.keys.stream()
                .filter(key -> found.getOrDefault(key, List.of()).contains(told.number))
                .count();
        if (there > 0 && there < told.keys.size()) {
          problem("a snapshot shows a part of " + told + ": " + found);
        }
        Global global = globals.get(told.number);
        if (there > 0 && global != null && !Boolean.TRUE.equals(global.commits)) {
          problem("a snapshot shows what is not decided: " + told);
        }
      }
      count("compared");
    }
  }

  /** One transaction manager. */
  private final class Decider extends Client {
    Decider(SeededRandom random) {
      super(random);
    }

    void manage() {
      Global global = new Global(next(some()));
      globals.put(global.told.number, global);
      Death death = random.chance(0.5) ? Death.NEVER : random.oneOf(List.of(Death.values()));
      GmuNode node = grid.anyUsable(random);
      boolean[] isPrepared = new boolean[1];
      long deadlineNanos = node.threads().nanoTime() + PATIENCE.toNanos();
      use(
          node,
          null,
          db -> isPrepared[0] = prepare(db, global, deadlineNanos, death == Death.IN_THE_BODY));
      pauseLong();
      if (death.compareTo(Death.PREPARED) <= 0) {
        count("managers dead before the decision");
        global.isAlive = false;
        return;
      }
      // The other resource may refuse.
      boolean commits = global.decide(isPrepared[0] && random.chance(0.8));
      count(commits ? "decided to commit" : "decided to roll back");
      if (death == Death.DECIDED) {
        count("managers dead after the decision");
        global.isAlive = false;
        return;
      }
      pauseLong();
      for (int tries = 0; tries < 3; tries++) {
        boolean[] isTold = new boolean[1];
        use(grid.anyUsable(random), null, db -> isTold[0] = tell(db, global));
        if (isTold[0] && random.chance(0.8)) { // else it repeats itself
          break;
        }
      }
      global.isAlive = false;
    }

    private void pauseLong() {
      grid.sleep(random.oneOf(0, 0, 5, 60, 400));
    }

    /** Whether it is prepared. */
    private boolean prepare(EmbeddedCanopy db, Global global, long deadlineNanos, boolean dies) {
      Begin how =
          new Begin(Mode.UPDATE, db.token().clock(), deadlineNanos, "global", ReadFrom.PRIMARY, "");
      EngineTransaction transaction = SimulatedHandle.begin(db, how);
      try {
        body(transaction.on(opened(db)), global.told, check.begin(global.told.number));
        if (dies) {
          return false;
        }
        PreparedTransactions.Prepared done =
            SimulatedHandle.prepared(db).prepare(transaction, global.id, "global");
        count("prepared");
        saw(done.clock());
        global.told.committed(done.clock(), grid.now());
        return true;
      } catch (CanopyException e) {
        if (e.commitState() == CommitState.UNKNOWN) {
          count("perhaps prepared");
        }
        throw e;
      } finally {
        transaction.end();
      }
    }

    private void body(EngineView view, Told told, Map<Long, List<Integer>> seen) {
      if (random.chance(0.4)) {
        long low = random.oneOf(KEYS);
        Map<Long, List<Integer>> found = new TreeMap<>();
        KeyRange range = KeyRange.of(NumberLists.bytes(low), NumberLists.bytes(low + 4));
        EngineScan scan = view.scan(range, false, Long.MAX_VALUE);
        while (scan.advance()) {
          found.put(
              Codec.int64().decode(scan.key()),
              NumberLists.of(Codec.string().decode(scan.value())));
        }
        scan.close();
        for (long key = low; key < low + 4; key++) {
          seen.put(key, found.getOrDefault(key, List.of()));
        }
      } else {
        for (long key : some()) {
          seen.put(key, NumberLists.read(view, key));
          pause(random);
        }
      }
      for (long key : told.keys) {
        seen.put(key, NumberLists.read(view, key));
        NumberLists.append(view, key, told.number);
        pause(random);
      }
    }
  }

  /** Ends what dead managers have left. */
  private final class Recovery {
    private final SeededRandom random;

    Recovery(SeededRandom random) {
      this.random = random;
    }

    void run() {
      while (running > 0) {
        grid.sleep(random.oneOf(20, 60, 60, 200, 200, 200, 1_500));
        use(grid.anyUsable(random), null, this::recover);
      }
    }

    private void recover(EmbeddedCanopy db) {
      for (PreparedTransaction left : SimulatedHandle.prepared(db).list()) {
        Global global = of(left);
        boolean isImpatient = global.commits != null && random.chance(0.3);
        if (!global.isAlive || isImpatient) {
          count("recovered");
          tell(db, global);
        }
      }
    }
  }
}
