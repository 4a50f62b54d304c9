package io.canopygrid.btree.structure;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.StructureChange;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.control.ChangeLog;
import io.canopygrid.btree.control.ChangeRuns;
import io.canopygrid.btree.control.Controller;
import io.canopygrid.btree.control.CutOffPolicy;
import io.canopygrid.btree.control.GridLoad;
import io.canopygrid.btree.control.PlacedSubtree;
import io.canopygrid.btree.load.LoadBytes;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's part in the balance of the grid: its loads, its controller, its changes. Thread-safe.
 */
public final class Balance implements AutoCloseable {
  private final GmuNode node;
  private final GridAnswers answers;
  private final ChangeLog log = new ChangeLog();
  private final ChangeRuns runs;
  private final Controller controller;
  private final BalanceLimits limits;

  /** A node's part, which does nothing by itself before its controller is started. */
  public Balance(
      GmuNode node,
      NodeQuestions questions,
      Reshaping reshaping,
      LoadRecorder recorder,
      BalanceLimits limits) {
    this.node = node;
    this.limits = limits;
    this.answers = new GridAnswers(node, questions);
    this.runs = new ChangeRuns(reshaping, node.threads(), limits, log);
    this.controller =
        new Controller(
            node, recorder, this::gather, reshaping, runs, new CutOffPolicy(limits), limits);
    questions.serve(
        NodeQuestions.Kind.LOADS,
        (question, answer) -> answer.accept(LoadBytes.encode(controller.own())));
    questions.serve(
        NodeQuestions.Kind.CHANGES,
        (question, answer) ->
            answer.accept(ChangeBytes.encode(changes(ChangeBytes.decodeQuestion(question)))));
  }

  /** The loads of all other nodes that answer. */
  private List<NodeLoad> gather() {
    return loads(answers.ofAll(NodeQuestions.Kind.LOADS, new byte[0]));
  }

  private static List<NodeLoad> loads(GridAnswers.Told told) {
    return told.answers().stream().map(LoadBytes::decode).toList();
  }

  /**
   * All subtrees of all nodes.
   *
   * @throws CanopyException where a node does not answer
   */
  GridLoad grid() {
    GridAnswers.Told told = answers.ofAll(NodeQuestions.Kind.LOADS, new byte[0]);
    if (told.silent() > 0) {
      throw silent();
    }
    List<NodeLoad> all = new ArrayList<>(loads(told));
    all.add(controller.own());
    return GridLoad.of(node, all, Map.of());
  }

  /**
   * The size of an index.
   *
   * @param complete whether all nodes that serve a part of it have told theirs
   */
  public record Size(long entries, boolean complete) {
    /** That of an index without a subtree. */
    public static final Size NOTHING = new Size(0, true);

    private Size plus(PlacedSubtree subtree) {
      return new Size(entries + subtree.entries(), complete && subtree.node() != null);
    }
  }

  /** The sizes of all indexes, by number, as far as nodes tell them. */
  public Map<Integer, Size> sizes() {
    List<NodeLoad> all = new ArrayList<>(gather());
    all.add(controller.own());
    Map<Integer, Size> sizes = new HashMap<>();
    for (PlacedSubtree subtree : GridLoad.of(node, all, Map.of()).subtrees()) {
      sizes.merge(subtree.index(), Size.NOTHING.plus(subtree), (size, any) -> size.plus(subtree));
    }
    return sizes;
  }

  /** The changes of an index that this node makes, and the last ones. */
  List<StructureChange> changes(int index) {
    return log.entries().stream()
        .filter(entry -> entry.change().subtree().index() == index)
        .map(entry -> StructureViews.of(node, entry))
        .toList();
  }

  /** The error where a node did not answer. */
  static CanopyException silent() {
    return new CanopyException(
        ErrorCode.TIMEOUT, "a node of the cluster did not answer in time; try again");
  }

  GridAnswers answers() {
    return answers;
  }

  /** Decides on changes, where this node is TOP's primary. */
  public Controller controller() {
    return controller;
  }

  ChangeRuns runs() {
    return runs;
  }

  BalanceLimits limits() {
    return limits;
  }

  @Override
  public void close() {
    controller.close();
  }
}
