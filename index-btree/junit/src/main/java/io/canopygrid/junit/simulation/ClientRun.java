package io.canopygrid.junit.simulation;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.btree.simulation.ShippedHandles;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The life of one client in one run: its body, again at another node where its node dies. */
final class ClientRun implements ScenarioClient, NodeFace.Steps {
  /** The share of calls before which the client rests, so that others may come between. */
  private static final double RESTS = 0.4;

  /** In units of virtual time. */
  private static final int REST_MAX = 20;

  private static final int RESTART_MAX = 100;

  private final SimulatedGrid grid;
  private final ShippedHandles nodes;
  private final Story story;
  private final SeededRandom random;
  private final SeededRandom own;
  private final String name;
  private final ClientBody body;

  private @Nullable GmuNode node;
  private @Nullable Canopy canopy;
  private int starts;

  /**
   * A client that has not begun.
   *
   * @param number tells its random numbers from those of others
   */
  ClientRun(
      SimulatedGrid grid,
      ShippedHandles nodes,
      Story story,
      int number,
      String name,
      ClientBody body) {
    this.grid = grid;
    this.nodes = nodes;
    this.story = story;
    this.random = grid.random(2 * number);
    this.own = grid.random(2 * number + 1);
    this.name = name;
    this.body = body;
  }

  /**
   * Runs the body to its end.
   *
   * @param seesAll whether it must see all that any handle has seen
   * @return what it has thrown; null: it returned
   */
  @Nullable Throwable run(boolean seesAll) {
    while (true) {
      GmuNode at = grid.anyUsable(random);
      Throwable[] failure = new Throwable[1];
      boolean[] ended = new boolean[1];
      grid.use(at, () -> ended[0] = isOver(at, seesAll, failure));
      if (ended[0]) {
        return failure[0];
      }
      grid.sleep(random.between(1, RESTART_MAX));
    }
  }

  private boolean isOver(GmuNode at, boolean seesAll, @Nullable Throwable[] failure) {
    node = at;
    if (!nodes.connect(at, seesAll)) {
      return false;
    }
    canopy = NodeFace.of(nodes.handle(at), this);
    starts++;
    story.tell(name, "begins at" + Story.NODE + " " + at.self().value());
    try {
      body.run(this);
      story.tell(name, "ends");
      return true;
    } catch (NodeLost e) {
      story.tell(name, "is lost with its" + Story.NODE);
      return false;
    } catch (Exception | AssertionError e) {
      if (isOfNode(e, at)) {
        story.tell(name, "ends with its" + Story.NODE + ", by " + words(e));
        return false;
      }
      story.tell(name, "fails by " + words(e));
      failure[0] = e;
      return true;
    }
  }

  /** Whether a body failed since its node has died, or is no member any more. */
  private boolean isOfNode(Throwable failure, GmuNode at) {
    boolean isOfCanopy = false;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      isOfCanopy |= each instanceof CanopyException;
    }
    return !grid.isAlive(at) || (isOfCanopy && !grid.usable().contains(at));
  }

  // ---- for the body

  @Override
  public String name() {
    return name;
  }

  @Override
  public Canopy canopy() {
    return Objects.requireNonNull(canopy, "the client has not begun");
  }

  @Override
  public RandomGenerator random() {
    return own::nextLong;
  }

  @Override
  public Duration now() {
    return Duration.ofNanos(here().threads().nanoTime());
  }

  @Override
  public void sleep(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("must not be negative: time=" + time);
    }
    here().threads().sleep(time.toNanos());
    requireNode();
  }

  @Override
  public <T extends @Nullable Object> T await(CompletionStage<T> stage) {
    T result = here().threads().await(stage.toCompletableFuture());
    requireNode();
    return result;
  }

  @Override
  public int starts() {
    return starts;
  }

  // ---- for its handle

  @Override
  public void begins(String method) {
    if (random.chance(RESTS)) {
      grid.sleep(random.between(1, REST_MAX));
    }
    requireNode();
    story.tell(name, "calls " + method);
  }

  @Override
  public void ended(String method, @Nullable Throwable failure) {
    requireNode();
    if (failure != null) {
      story.tell(name, "gets " + words(failure) + " of " + method);
    }
  }

  /** Messages may name what differs from run to run. */
  private static String words(Throwable failure) {
    return failure instanceof CanopyException coded
        ? coded.code().name()
        : failure.getClass().getSimpleName();
  }

  private void requireNode() {
    if (!grid.isAlive(here())) {
      throw new NodeLost();
    }
  }

  private GmuNode here() {
    return Objects.requireNonNull(node, "the client has not begun");
  }
}
