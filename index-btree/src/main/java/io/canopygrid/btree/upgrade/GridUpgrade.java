package io.canopygrid.btree.upgrade;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.UpgradeState;
import io.canopygrid.btree.catalog.LevelChanges;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.LevelEntry;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.GridView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which levels the nodes of a grid speak, and raises the grid to the highest one of all
 * (docs/protocol.md, Levels). Thread-safe.
 */
public final class GridUpgrade {
  private static final Logger LOG = LoggerFactory.getLogger(GridUpgrade.class);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final GmuNode node;
  private final LevelChanges levels;
  private final GridAnswers answers;
  private final Supplier<Function<NodeId, String>> releases;
  private final long patienceNanos;

  /**
   * The upgrade as a node sees it, which answers the others about itself from now on.
   *
   * @param releases of the members by their ids, as they are when this is asked
   */
  public GridUpgrade(
      GmuNode node,
      LevelChanges levels,
      NodeQuestions questions,
      Supplier<Function<NodeId, String>> releases) {
    this(node, levels, questions, releases, new GridAnswers(node, questions), PATIENCE_NANOS);
  }

  GridUpgrade(
      GmuNode node,
      LevelChanges levels,
      NodeQuestions questions,
      Supplier<Function<NodeId, String>> releases,
      GridAnswers answers,
      long patienceNanos) {
    this.releases = releases;
    this.patienceNanos = patienceNanos;
    this.node = node;
    this.levels = levels;
    this.answers = answers;
    questions.serve(NodeQuestions.Kind.LEVELS, (question, answer) -> answer.accept(own().encode()));
  }

  /**
   * The state now. Waits for the answers of the other nodes for some seconds.
   *
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  public UpgradeState state() {
    return state(levels.read(), ask(), releases.get());
  }

  private UpgradeState state(
      LevelEntry level, Map<NodeId, NodeLevels> told, Function<NodeId, String> names) {
    GridView view = node.view();
    List<UpgradeState.Node> nodes = new ArrayList<>();
    for (GridView.Member member : view.members()) {
      nodes.add(describe(member.node(), member.name(), told, names, true));
    }
    Set<NodeId> others = new HashSet<>(told.keySet());
    others.addAll(view.strangers());
    told.values().forEach(each -> others.addAll(each.others()));
    view.members().forEach(member -> others.remove(member.node()));
    for (NodeId other : others) {
      nodes.add(describe(other, other.toString(), told, names, false));
    }
    return new UpgradeState(level.level(), level.joined(), nodes);
  }

  private static UpgradeState.Node describe(
      NodeId id,
      String name,
      Map<NodeId, NodeLevels> told,
      Function<NodeId, String> names,
      boolean isMember) {
    NodeLevels levels = told.get(id);
    return new UpgradeState.Node(
        id.toString(),
        name,
        names.apply(id),
        levels == null ? 0 : levels.lowest(),
        levels == null ? 0 : levels.highest(),
        isMember);
  }

  private NodeLevels own() {
    levels.look();
    return NodeLevels.of(node);
  }

  /** The levels of all nodes that this one and those that it reaches can reach. */
  private Map<NodeId, NodeLevels> ask() {
    Map<NodeId, NodeLevels> told = new HashMap<>();
    told.put(node.self(), own());
    Set<NodeId> asked = new HashSet<>(told.keySet());
    for (; ; ) {
      Set<NodeId> more = new HashSet<>();
      told.values().forEach(each -> more.addAll(each.others()));
      more.removeAll(asked);
      if (more.isEmpty()) {
        return told;
      }
      asked.addAll(more);
      answers
          .of(more, NodeQuestions.Kind.LEVELS, new byte[0])
          .forEach((other, answer) -> told.put(other, NodeLevels.decode(answer)));
    }
  }

  /**
   * Raises the grid to the highest level that all of its nodes speak. Nodes of older releases
   * cannot join from then on. Does nothing where the grid is at that level. May block for some 10
   * s; one that was interrupted is gone on with by the next.
   *
   * @return the state after it
   * @throws CanopyException {@link ErrorCode#UPGRADE_REFUSED} where a node does not speak the level
   *     of the others, or has not said so; {@link ErrorCode#SHARD_UNAVAILABLE}, {@link
   *     ErrorCode#TIMEOUT}
   */
  public UpgradeState raise() {
    UpgradeState state = state();
    LevelEntry before = new LevelEntry(state.level(), state.joined());
    try {
      requireReady(state);
    } catch (CanopyException e) {
      change(before, LevelEntry.at(before.level())); // an attempt that was cut off has closed it
      throw e;
    }
    int target = state.target();
    if (state.isFinal()) {
      return state;
    }
    LevelEntry closed = new LevelEntry(before.level(), target);
    change(before, closed);
    try {
      awaitAll(closed);
    } catch (CanopyException e) {
      change(closed, LevelEntry.at(closed.level()));
      throw e;
    }
    change(closed, LevelEntry.at(target));
    LOG.info("the grid is at level {} now, and was at level {}", target, before.level());
    return state();
  }

  private void change(LevelEntry before, LevelEntry next) {
    if (!before.equals(next) && !levels.change(before, next)) {
      throw refused("another node finalizes the upgrade at this moment");
    }
  }

  private static void requireReady(UpgradeState state) {
    state
        .obstacle()
        .ifPresent(why -> {
          throw refused(why);
        });
    if (state.target() > GridLevel.highest()) {
      throw refused(
          String.format(
              Locale.ROOT, "the node that was asked does not speak level %d", state.target()));
    }
  }

  /**
   * Waits until every node tells those who want to join the new level, and none is left that was
   * told the old one and does not speak the new one.
   */
  private void awaitAll(LevelEntry closed) {
    long deadline = System.nanoTime() + patienceNanos;
    for (; ; ) {
      Map<NodeId, NodeLevels> told = ask();
      UpgradeState state = state(closed, told, releases.get());
      boolean isKnown = told.values().stream().allMatch(each -> each.joined() == closed.joined());
      if (state.obstacle().isEmpty() && isKnown) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        requireReady(state);
        throw refused("a node has not heard of it in time");
      }
      node.threads().sleep(PAUSE_NANOS);
    }
  }

  private static CanopyException refused(String why) {
    return new CanopyException(ErrorCode.UPGRADE_REFUSED, why);
  }
}
