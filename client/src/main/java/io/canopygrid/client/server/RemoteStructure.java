package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/** The cut and placement of an index, as the servers tell them. Thread-safe. */
public final class RemoteStructure implements IndexStructure {
  /** Subtrees asked for at a time. */
  private static final int PAGE = 1_000;

  private final CurrentGrid grid;
  private final Questions questions;
  private final String name;
  private volatile NumberInGrid number;

  /** The index's number in one grid. */
  private record NumberInGrid(GridId grid, int index) {}

  private RemoteStructure(CurrentGrid grid, Questions questions, String name, NumberInGrid number) {
    this.grid = grid;
    this.questions = questions;
    this.name = name;
    this.number = number;
  }

  /**
   * The structure of the index with a name.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public static RemoteStructure of(ClusterView cluster, String name) {
    cluster.grid().tell();
    NumberInGrid number = find(cluster.grid(), cluster.questions(), name);
    return new RemoteStructure(cluster.grid(), cluster.questions(), name, number);
  }

  private static NumberInGrid find(CurrentGrid grid, Questions questions, String name) {
    GridId in = grid.present().id();
    Request request = new Request.OpenIndex(name, "", "", false, 0);
    return new NumberInGrid(in, questions.ask(in, request, Reply.IndexOpened.class).index());
  }

  /** The number, which is looked up by the name when the grid has changed. */
  private NumberInGrid number() {
    grid.tell();
    NumberInGrid known = number;
    if (!known.grid().equals(grid.present().id())) {
      known = find(grid, questions, name);
      number = known;
    }
    return known;
  }

  private <R extends Reply> R ask(IntFunction<Request> request, Class<R> wanted) {
    NumberInGrid at = number();
    return questions.ask(at.grid(), request.apply(at.index()), wanted);
  }

  @Override
  public List<Subtree> subtrees() {
    List<Subtree> all = new ArrayList<>();
    byte[] from = new byte[0];
    while (true) {
      byte[] next = from;
      Reply.Subtrees page =
          ask(index -> new Request.AskSubtrees(index, next, PAGE), Reply.Subtrees.class);
      all.addAll(page.subtrees());
      if (page.end() || page.subtrees().isEmpty()) {
        return all;
      }
      byte[] last = all.get(all.size() - 1).from();
      from = Arrays.copyOf(last, last.length + 1);
    }
  }

  @Override
  public List<StructureChange> changes() {
    return ask(Request.AskChanges::new, Reply.Changes.class).changes();
  }

  @Override
  public CutOff cutOff() {
    return ask(index -> new Request.AskCutOff(index, false, 0), Reply.CutOffIs.class).cutOff();
  }

  @Override
  public CutOff fixCutOff(OptionalInt subtreesPerNode) {
    int wanted = subtreesPerNode.isPresent() ? checked(subtreesPerNode.getAsInt()) : 0;
    return ask(index -> new Request.AskCutOff(index, true, wanted), Reply.CutOffIs.class).cutOff();
  }

  /** The number, which the wire cannot carry below 1. */
  private static int checked(int wanted) {
    if (wanted < 1) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "subtrees per node must be at least 1: " + wanted);
    }
    return wanted;
  }

  @Override
  public StructureChange split(byte[] at) {
    return reshape(StructureChange.Kind.SPLIT, at, "");
  }

  @Override
  public StructureChange merge(byte[] key) {
    return reshape(StructureChange.Kind.MERGE, key, "");
  }

  @Override
  public StructureChange move(byte[] key, String node) {
    return reshape(StructureChange.Kind.MOVE, key, node);
  }

  private StructureChange reshape(StructureChange.Kind kind, byte[] key, String node) {
    NumberInGrid at = number();
    Request.Reshape request = new Request.Reshape(at.index(), kind, key, node);
    return questions.askOnce(at.grid(), request, Reply.Changes.class).changes().get(0);
  }
}
