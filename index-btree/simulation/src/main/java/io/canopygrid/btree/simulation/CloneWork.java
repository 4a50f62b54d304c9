package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexClone;
import io.canopygrid.MutableView;
import io.canopygrid.ReadFrom;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.simulation.CloneHandles.Opened;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that make clones of indexes, of the present and of named snapshots, flatten them, and
 * drop clones and parents, beside others that write and read them, several in one transaction.
 */
final class CloneWork extends HandleWork {
  private static final int RANDOM = 4_000;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int MAKERS = 2;
  private static final int KEEPERS = 2;
  private static final int WORKS_MAX = 5;
  private static final String SNAPSHOT = "cs";
  private static final List<Long> LISTS = LongStream.range(0, 6).boxed().toList();
  private static final List<Long> KEYS = LongStream.range(0, CloneShown.KEYS).boxed().toList();

  /** Transactions end before the layers of a clone that is there no more are let go. */
  private static final Duration PATIENCE_WITH_CLONES = Duration.ofMillis(250);

  /** Rounds at the end after which nothing may be held any more, and the time between them. */
  private static final int ROUNDS_MAX = 200;

  private static final int ROUND_EVERY = 200;

  private final int works;
  private final boolean longReaders;
  private final CloneCheck check = new CloneCheck(this);

  private final CloneHandles handles;

  CloneWork(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers) {
    super(grid, world, "clones");
    this.works = Math.min(WORKS_MAX, run.transactions());
    this.longReaders = run.longReaders();
    this.handles = new CloneHandles(grid, check);
  }

  @Override
  public void start() {
    start("writer of clones ", WRITERS, 2, client -> client.repeat(3 * works, client::write));
    start("reader of clones ", READERS, 9, client -> client.repeat(3 * works, client::read));
    start("maker of clones ", MAKERS, 30, client -> client.repeat(2 * works, client::change));
    start("keeper of clones ", KEEPERS, 40, client -> client.repeat(works, client::keep));
  }

  private void start(String what, int count, int delay, Consumer<Client> life) {
    for (int i = 0; i < count; i++) {
      Client client = new Client(grid.random(RANDOM + 10 * delay + i), i);
      grid.client(what + i, delay + 3L * i, () -> life.accept(client));
    }
  }

  // ---- at rest

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
    looksAtRest(nodes);
    nodes.forEach(node -> atRest(node, db -> handles.names().forEach(db::flattenClone)));
    looksAtRest(nodes);
    removesAtRest(nodes.get(nodes.size() - 1), 0);
    looksAtRest(nodes);
    awaitNoPins(nodes);
    removesAtRest(nodes.get(0), 1);
    looksAtRest(nodes);
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            last.clear();
            rest(db, db.read(after(), tx -> lists(tx.on(lists(db)), LISTS)));
          });
    }
  }

  private void looksAtRest(List<GmuNode> nodes) {
    Map<String, CloneShown> first = new TreeMap<>();
    for (GmuNode node : nodes) {
      atRest(
          node,
          db -> {
            for (String name : handles.names()) {
              Opened at = handles.open(db, name);
              CloneShown shown =
                  db.read(after(), tx -> look(tx.on(at.index()), tx.on(lists(db)), at, true));
              CloneShown before = first.putIfAbsent(name, shown);
              if (before != null && !before.equals(shown)) {
                problem("at rest " + at + " is " + shown + ", and " + before + " elsewhere");
              }
            }
          });
    }
  }

  private CloneShown look(
      ReadView<Long, String> view, ReadView<Long, String> lists, Opened at, boolean isSure) {
    CloneShown shown = CloneShown.of(CloneReads.forwards(view));
    check.shows(shown, isSure ? at.number() : 0, lists(lists, LISTS), 0, "in " + at);
    return shown;
  }

  /** Removes some keys from all indexes: nothing of their parents comes to light. */
  private void removesAtRest(GmuNode node, int part) {
    long half = CloneShown.KEYS / 2;
    for (String name : handles.names()) {
      Told told = next(List.of(LISTS.get(0)));
      use(
          node,
          told,
          db -> {
            Opened at = handles.open(db, name);
            db.run(
                after(),
                tx -> {
                  CloneCheck.Intent intent = check.begins(told);
                  CloneEdit.append(tx.on(lists(db)), told);
                  new CloneEdit(this, node, tx.on(at.index()), at, intent, told)
                      .removeRange(part * half, (part + 1) * half - 1);
                });
          });
    }
  }

  private void awaitNoPins(List<GmuNode> nodes) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      if (nodes.stream().allMatch(node -> CloneReads.pins(node) == 0)) {
        count("all pins let go");
        return;
      }
      nodes.forEach(node -> atRest(node, SimulatedHandle::keepDrops));
      grid.sleep(ROUND_EVERY);
    }
    problem("the pins of clones stay that are there no more");
  }

  @Override
  public List<String> check() {
    List<String> problems = new ArrayList<>(check.order(List.copyOf(last.values())));
    problems.addAll(super.check());
    return problems;
  }

  /** One client. */
  private final class Client extends HandleClient {
    private final String snapshot;

    Client(SeededRandom random, int number) {
      super(random);
      this.snapshot = SNAPSHOT + number;
    }

    private TransactionOptions options() {
      return TransactionOptions.DEFAULTS
          .withTimeout(PATIENCE_WITH_CLONES)
          .withMaxAttempts(random.oneOf(1, 5, 50));
    }

    private String anyName() {
      return random.oneOf(handles.names());
    }

    private List<String> someNames() {
      return random.sample(
          handles.names(), Math.min(handles.names().size(), random.oneOf(1, 2, 2)));
    }

    /**
     * An index is gone where somebody has dropped it; what is shown is there.
     *
     * @param isLate whether the indexes were opened after the transaction had begun, which may show
     *     others that had their names before
     */
    private void checkGone(CanopyException e, List<Opened> used, boolean isLate) {
      checkNotTooOld(e);
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        count("gone");
        if (used.stream()
            .noneMatch(at -> check.mayBeDropped(at.name(), isLate ? 0 : at.number()))) {
          problem("nobody has dropped any of " + used + ", and " + e);
        }
      }
    }

    /** Transactions, and the snapshots of these clients, end before anything of them may go. */
    private void checkNotTooOld(CanopyException e) {
      Throwable cause =
          e.code() == ErrorCode.RETRIES_EXHAUSTED && e.getCause() != null ? e.getCause() : e;
      if (!longReaders
          && cause instanceof CanopyException of
          && of.code() == ErrorCode.SNAPSHOT_TOO_OLD) {
        problem("something that is shown is gone: " + cause);
      }
    }

    // ---- writers

    void write() {
      List<String> chosen = someNames();
      Told told = next(List.of(random.oneOf(LISTS)));
      GmuNode node = grid.anyUsable(random);
      use(
          node,
          told,
          db -> {
            List<Opened> used = new ArrayList<>();
            boolean isLate = random.chance(0.2);
            try {
              if (!isLate) {
                chosen.forEach(name -> used.add(handles.anyOf(db, name, random)));
              }
              db.run(
                  options(),
                  tx -> {
                    CloneCheck.Intent intent = check.begins(told);
                    MutableView<Long, String> lists = tx.on(lists(db));
                    CloneEdit.append(lists, told);
                    if (isLate) {
                      used.clear();
                      pause(random);
                      chosen.forEach(name -> used.add(handles.anyOf(db, name, random)));
                    }
                    for (Opened at : used) {
                      write(
                          new CloneEdit(CloneWork.this, node, tx.on(at.index()), at, intent, told),
                          lists);
                    }
                  });
              count("written");
              grid.note("commit " + told.number + " was into " + used);
            } catch (CanopyException e) {
              checkGone(e, used, isLate);
              throw e;
            }
          });
    }

    private void write(CloneEdit edit, MutableView<Long, String> lists) {
      Opened at = edit.at();
      if (random.chance(0.2)) {
        look(edit, lists)
            .logsOf(at.number())
            .forEach((key, log) -> edit.intent().saw(at.number(), key, log));
      }
      for (int i = random.oneOf(1, 2, 3); i > 0; i--) {
        long key = random.oneOf(KEYS);
        switch (random.below(9)) {
          case 0, 1, 2, 3 -> edit.put(key);
          case 4, 5 -> edit.remove(key);
          case 6 -> edit.removeRange(key, key + random.oneOf(1, 2, 9));
          default -> edit.look(key);
        }
        pause(random);
      }
      if (random.chance(0.2)) {
        look(edit, lists);
      }
    }

    private CloneShown look(CloneEdit edit, ReadView<Long, String> lists) {
      Opened at = edit.at();
      CloneShown shown = CloneReads.any(CloneWork.this, edit.view(), random);
      check.shows(shown, at.number(), lists(lists, LISTS), edit.told().number, "in " + at);
      count("compared");
      return shown;
    }

    // ---- readers

    void read() {
      List<String> chosen = someNames();
      TransactionOptions options =
          options().withReadFrom(random.chance(0.3) ? ReadFrom.NEAREST : ReadFrom.PRIMARY);
      use(
          grid.anyUsable(random),
          null,
          db -> {
            List<Opened> used = new ArrayList<>();
            boolean isLate = random.chance(0.3);
            try {
              if (!isLate) {
                chosen.forEach(name -> used.add(handles.anyOf(db, name, random)));
              }
              db.read(
                  options,
                  tx -> {
                    Map<Long, List<Integer>> lists = lists(tx.on(lists(db)), LISTS);
                    if (isLate) {
                      used.clear();
                      grid.sleep(random.oneOf(1, 40, 200));
                      chosen.forEach(name -> used.add(handles.anyOf(db, name, random)));
                    }
                    for (Opened at : used) {
                      CloneShown shown = CloneReads.any(CloneWork.this, tx.on(at.index()), random);
                      check.shows(shown, isLate ? 0 : at.number(), lists, 0, "read in " + at);
                      count(isLate ? "compared late" : "compared");
                      pause(random);
                    }
                    return tx;
                  });
            } catch (CanopyException e) {
              checkGone(e, used, isLate);
              throw e;
            }
          });
    }

    // ---- makers

    void change() {
      String name = anyName();
      switch (random.below(10)) {
        case 0 -> drop(name);
        case 1, 2, 3, 4, 5 -> {
          use(grid.anyUsable(random), null, this::flatten);
        }
        default -> make(name, "", 0, null);
      }
    }

    private void flatten(EmbeddedCanopy db) {
      List<String> clones = db.clones().stream().map(IndexClone::name).toList();
      List<String> own = clones.stream().filter(CloneHandles::isOne).toList();
      if (own.isEmpty()) {
        return;
      }
      String name = random.oneOf(own);
      grid.note(name + " is to be flattened");
      long copied = db.flattenClone(name);
      grid.note(name + " is flat, by " + copied + " entries");
      count(copied > 0 ? "flattened" : "flattenings of nothing");
    }

    private void drop(String name) {
      CloneCheck.Call call = check.drops(name);
      handles.goes(name);
      if (use(grid.anyUsable(random), null, db -> db.dropIndex(name))) {
        check.dropped(call);
        count("dropped");
      }
    }

    /**
     * Makes a clone, in place of another index at times.
     *
     * @param then the name of a snapshot; empty: of the present
     * @param number the parent's in the snapshot; 0: that is not known
     * @param shown what the snapshot shows; null: that is not known
     */
    private void make(String parent, String then, int number, @Nullable CloneShown shown) {
      String name = random.oneOf(CloneHandles.others(parent));
      if (handles.names().contains(name) && random.chance(0.5)) {
        drop(name);
      }
      int[] of = {number};
      GmuNode node = grid.anyUsable(random);
      long began = grid.now();
      if (then.isEmpty() && !use(node, null, db -> of[0] = handles.open(db, parent).number())) {
        return;
      }
      List<Told> before = all.stream().filter(Told::isCommitted).toList();
      CloneSource now = CloneSource.of(parent);
      handles.comes(name);
      if (!use(node, null, db -> db.cloneIndex(name, then.isEmpty() ? now : now.at(then)))) {
        return;
      }
      count(then.isEmpty() ? "made" : "made of snapshots");
      int issued = all.size();
      use(
          grid.anyUsable(random),
          null,
          db -> {
            Opened made = handles.open(db, name);
            boolean isSure =
                !check.isDroppedSince(name, began)
                    && (!then.isEmpty() || !check.isDroppedSince(parent, began));
            grid.note(made + " is a clone of " + parent + " number " + of[0] + ": " + isSure);
            if (isSure) {
              check.made(
                  made.number(),
                  new CloneCheck.Made(of[0], then.isEmpty() ? before : List.of(), issued, shown));
            }
          });
    }

    // ---- keepers

    /** Takes a snapshot, reads it while others drop and flatten what is in it, and clones it. */
    void keep() {
      String name = anyName();
      long began = grid.now();
      int[] number = new int[1];
      boolean taken =
          use(
              grid.anyUsable(random),
              null,
              db -> {
                number[0] = handles.open(db, name).number();
                db.snapshot(snapshot);
              });
      if (!taken) {
        return;
      }
      int sure = check.isDroppedSince(name, began) ? 0 : number[0];
      List<CloneShown> first = new ArrayList<>();
      int looks = random.between(2, 5);
      for (int i = 0; i < looks; i++) {
        grid.sleep(random.oneOf(5, 60, 200, 600, 2_000));
        if (random.chance(0.25)) {
          make(name, snapshot, sure, first.isEmpty() ? null : first.get(0));
        } else {
          use(grid.anyUsable(random), null, db -> lookBack(db, name, sure, first));
        }
      }
      use(grid.anyUsable(random), null, db -> db.dropSnapshot(snapshot));
    }

    /**
     * Reads the snapshot.
     *
     * @param sure the number of the index that it shows; 0: that is not known
     * @param first what the first look has found, if there was one
     */
    private void lookBack(EmbeddedCanopy db, String name, int sure, List<CloneShown> first) {
      Opened at = handles.anyOf(db, name, random);
      boolean isSure = sure > 0 && sure <= at.number();
      try {
        db.read(
            options().at(snapshot),
            tx -> {
              CloneShown shown = CloneReads.any(CloneWork.this, tx.on(at.index()), random);
              Map<Long, List<Integer>> lists = lists(tx.on(lists(db)), LISTS);
              check.shows(shown, isSure ? sure : 0, lists, 0, "in " + snapshot + " by " + at);
              if (isSure) {
                count(sure == at.number() ? "compared in snapshots" : "predecessors compared");
                if (first.isEmpty()) {
                  first.add(shown);
                } else if (!first.get(0).equals(shown)) {
                  problem(
                      (snapshot + " shows by " + at + ": " + shown)
                          + (", and before: " + first.get(0)));
                }
              }
              return tx;
            });
      } catch (CanopyException e) {
        checkNotTooOld(e);
        boolean isLost =
            e.code() == ErrorCode.UNKNOWN_INDEX || e.code() == ErrorCode.UNKNOWN_SNAPSHOT;
        if (isLost && isSure) {
          problem("snapshot " + snapshot + " shows " + sure + ", and by " + at + ": " + e);
        }
        throw e;
      }
    }
  }
}
