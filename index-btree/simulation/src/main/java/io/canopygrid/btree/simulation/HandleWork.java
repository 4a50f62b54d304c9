package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A kind of work whose clients use nodes' handles. Each commit appends its number to lists, so that
 * the lists in a snapshot say which commits are in it, and in which order.
 */
abstract class HandleWork implements TreeWork {
  static final int ENTRIES_MAX = 4;

  /** Far more than anything should need, in virtual time. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  final SimulatedGrid grid;
  final TreeWorld world;
  final List<Told> all = new ArrayList<>();

  /** The lists as they are at rest, by key. */
  final Map<Long, List<Integer>> last = new TreeMap<>();

  private final String name;
  private final Map<String, Long> counts = new TreeMap<>();
  private final SeenClocks seen;

  /**
   * @param name of the kind, and of the index with the lists
   */
  HandleWork(SimulatedGrid grid, TreeWorld world, String name) {
    this.grid = grid;
    this.seen = new SeenClocks(grid);
    this.world = world;
    this.name = name;
  }

  @Override
  public void onNode(GmuNode node, EmbeddedCanopy handle) {}

  /** Something that a client does at a node. */
  interface Step {
    void at(EmbeddedCanopy db);
  }

  /** A client of one of the kinds, which rests between what it does. */
  class HandleClient {
    final SeededRandom random;

    HandleClient(SeededRandom random) {
      this.random = random;
    }

    final void repeat(int times, Runnable work) {
      for (int i = 0; i < times; i++) {
        grid.sleep(random.oneOf(1, 5, 30, 90));
        work.run();
      }
    }
  }

  /** The index with the lists. */
  final Index<Long, String> lists(EmbeddedCanopy db) {
    return db.index(name, Codec.int64(), Codec.string(), new IndexOptions(ENTRIES_MAX));
  }

  /** A new number for lists of these keys. */
  final Told next(List<Long> keys) {
    Told told = new Told(all.size() + 1, keys);
    all.add(told);
    return told;
  }

  /**
   * Does something at a node; what it committed happened where it returns.
   *
   * @param told null: it commits nothing
   * @return whether it returned
   */
  final boolean use(GmuNode node, @Nullable Told told, Step step) {
    boolean[] done = new boolean[1];
    grid.use(node, () -> done[0] = used(node, told, step));
    return done[0];
  }

  private boolean used(GmuNode node, @Nullable Told told, Step step) {
    String by = name + " at " + node.self();
    try {
      EmbeddedCanopy db = world.handle(node);
      grid.takeCommitted();
      step.at(db);
      VectorClock committed = grid.takeCommitted();
      tell(db);
      if (told != null) {
        told.told(CommitState.COMMITTED, by);
        told.committed(committed, grid.now());
      }
      return true;
    } catch (Refused e) {
      count("refused");
      if (told != null) {
        told.told(CommitState.NOT_COMMITTED, by + ": " + e);
      }
    } catch (CanopyException e) {
      unexpected(node, e);
      if (told != null) {
        told.told(e.commitState(), by + ": " + e);
      }
    } catch (RuntimeException e) {
      problem("ended at " + node.self() + " by " + e);
    }
    return false;
  }

  /** The clients are told all that a handle has seen so far. */
  final void tell(EmbeddedCanopy db) {
    saw(db.token().clock());
  }

  /** The clients are told a clock. */
  final void saw(VectorClock clock) {
    seen.saw(clock);
  }

  /** Thrown by the code of clients, which takes their transactions back. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  /** A mistake of the code, and not of the weather, is a problem. */
  private void unexpected(GmuNode node, CanopyException e) {
    count("errors " + e.code());
    grid.note(name + " at " + node.self() + ": " + e);
    boolean isMistake =
        e.code() == ErrorCode.INTERNAL_ERROR
            || e.code() == ErrorCode.INVALID_TOKEN
            || e.code() == ErrorCode.CODEC_FAILURE;
    if (isMistake && grid.usable().contains(node)) {
      problem("at " + node.self() + ": " + e);
    }
  }

  final void count(String what) {
    counts.merge(name + " " + what, 1L, Long::sum);
  }

  final void problem(String what) {
    grid.problem(name + ": " + what);
  }

  /** Options to see all that any client was told. */
  final TransactionOptions after() {
    return TransactionOptions.DEFAULTS
        .withTimeout(PATIENCE)
        .withAfter(CausalToken.of(null, seen.clock()));
  }

  final void pause(SeededRandom random) {
    int units = random.oneOf(0, 0, 0, 1, 5, 40);
    if (units > 0) {
      grid.sleep(units);
    }
  }

  /** The lists of a snapshot, by key; keys without one have an empty one. */
  static Map<Long, List<Integer>> lists(ReadView<Long, String> view, List<Long> keys) {
    Map<Long, List<Integer>> lists = new TreeMap<>();
    for (long key : keys) {
      lists.put(key, NumberLists.of(view.get(key)));
    }
    return lists;
  }

  /** Compares the lists of one node at rest with those of the others. */
  final void rest(EmbeddedCanopy db, Map<Long, List<Integer>> lists) {
    lists.forEach((key, now) -> {
      List<Integer> before = last.putIfAbsent(key, now);
      if (before != null && !before.equals(now)) {
        problem("at rest key " + key + " is " + now + ", and " + before + " elsewhere");
      }
    });
  }

  /** Looks at everything at a node, at rest: nothing fails then. */
  final void atRest(GmuNode node, Step step) {
    grid.use(
        node,
        () -> {
          try {
            step.at(world.handle(node));
          } catch (RuntimeException e) {
            problem("at rest at " + node.self() + ": " + e);
          }
        });
  }

  @Override
  public List<String> check() {
    for (Told told : all) {
      told.states.keySet().forEach(state -> count("told " + state));
    }
    return NumberLists.check(name, NumberLists.withoutCut(grid, all), last);
  }

  @Override
  public final Map<String, Long> counts() {
    return counts;
  }
}
