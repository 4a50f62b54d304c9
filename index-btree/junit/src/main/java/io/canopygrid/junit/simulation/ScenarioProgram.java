package io.canopygrid.junit.simulation;

import io.canopygrid.btree.simulation.CommitHistory;
import io.canopygrid.btree.simulation.ShippedHandles;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.FaultRounds;
import io.canopygrid.gmu.simulation.GridProgram;
import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A scenario on a simulated grid: the set-up, then clients and faults, and at last the checks. */
final class ScenarioProgram implements GridProgram {
  /** Rounds of faults, each of 90 ms: bodies that take longer end without any. */
  private static final int FAULT_ROUNDS_MAX = 10;

  /** In units of virtual time. */
  private static final int LOOK_EVERY = 20;

  private static final int LOOKS_MAX = 5_000;
  private static final int KEEP_EVERY = 5_000;
  private static final int KEEP_LOOK_EVERY = 200;
  private static final int BEGIN_MAX = 20;

  private static final int SET_UP = 1;
  private static final int CHECK = 2;
  private static final int BEGINNINGS = 9;
  private static final int CLIENTS = 10;

  private final SimulatedGrid grid;
  private final Scenario scenario;
  private final CommitHistory history;
  private final Story story;
  private final ShippedHandles nodes;

  /** The clients that have not ended, by name. */
  private final Set<String> running = new TreeSet<>();

  private @Nullable FaultRounds faults;
  private @Nullable Failure failure;
  private long restarts;

  ScenarioProgram(SimulatedGrid grid, Scenario scenario, CommitHistory history) {
    this.grid = grid;
    this.scenario = scenario;
    this.history = history;
    this.story = new Story(grid);
    this.nodes = new ShippedHandles(grid, history);
  }

  /** A body that has thrown. */
  record Failure(String who, Throwable thrown) {}

  @Override
  public void onNode(GmuNode node) {
    scenario.functions().forEach(nodes.add(node)::register);
  }

  @Override
  public void plan(FaultRounds rounds) {
    faults = rounds; // they begin after the set-up
  }

  @Override
  public void start() {
    grid.client("set-up", 1, this::begin);
  }

  private void begin() {
    ClientBody setUp = scenario.setUp();
    if (setUp != null && !ran("the set-up", SET_UP, setUp, false)) {
      return;
    }
    nodes.isSetUp();
    SeededRandom random = grid.random(BEGINNINGS);
    int number = CLIENTS;
    for (Scenario.Client client : scenario.clients()) {
      int own = number++;
      running.add(client.name());
      grid.client(
          client.name(),
          random.between(1, BEGIN_MAX),
          () -> {
            ran(client.name(), own, client.body(), false);
            running.remove(client.name());
          });
    }
    grid.client("faults", 1, this::giveFaults);
    grid.client("keeper", 1, this::keep);
    grid.client("check", 1, this::finish);
  }

  private boolean ran(String name, int number, ClientBody body, boolean seesAll) {
    ClientRun client = new ClientRun(grid, nodes, story, number, name, body);
    Throwable thrown = client.run(seesAll);
    restarts += client.starts() - 1L;
    if (thrown != null && failure == null) {
      failure = new Failure(name, thrown);
      grid.problem(name + " threw " + thrown);
    }
    return thrown == null;
  }

  private void giveFaults() {
    FaultRounds rounds = faults;
    for (int round = 0; rounds != null && round < FAULT_ROUNDS_MAX; round++) {
      long end = rounds.plan();
      while (grid.now() < end) {
        if (running.isEmpty()) {
          return;
        }
        grid.sleep(LOOK_EVERY);
      }
    }
  }

  private void keep() {
    long last = grid.now();
    while (!running.isEmpty()) {
      if (grid.now() - last >= KEEP_EVERY) {
        nodes.keep();
        last = grid.now();
      }
      grid.sleep(KEEP_LOOK_EVERY);
    }
  }

  private void finish() {
    while (!running.isEmpty()) {
      grid.sleep(LOOK_EVERY);
    }
    for (int looks = 0; !grid.isCalm(); looks++) {
      if (looks > LOOKS_MAX) {
        grid.problem("the grid does not recover after the last fault");
        return;
      }
      grid.sleep(LOOK_EVERY);
    }
    ClientBody check = scenario.check();
    if (check != null && failure == null) {
      ran("the check", CHECK, check, true);
    }
    nodes.finishDrops();
    GmuNode node = grid.anyUsable(grid.random(0));
    grid.use(node, () -> nodes.checkIndexes(node));
  }

  @Override
  public List<String> check() {
    story.tell("all entries", "have the hash " + Integer.toHexString(nodes.entriesHash()));
    return nodes.check();
  }

  @Override
  public List<HistoryEntry> history() {
    return List.of();
  }

  @Override
  public Map<String, Long> counts() {
    return Map.of("client restarts", restarts, "updates", (long) history.updates());
  }

  // ---- after the run

  /** The first body that has thrown; null: none has. */
  @Nullable Failure failure() {
    return failure;
  }

  /** The clients that have not ended. */
  Set<String> running() {
    return running;
  }

  Story story() {
    return story;
  }

  /** Ends what the run has used. */
  void close() {
    nodes.close();
  }
}
