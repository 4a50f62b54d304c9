package io.canopygrid.btree.structure;

import io.canopygrid.CanopyException;
import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.catalog.CutOffs;
import io.canopygrid.btree.control.GridLoad;
import io.canopygrid.btree.control.PlacedSubtree;
import io.canopygrid.btree.control.PlannedChange;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The way in which one index is cut and placed, seen from a node. Thread-safe. */
final class EmbeddedStructure implements IndexStructure {
  private final GmuNode node;
  private final Balance balance;
  private final CutOffs cutOffs;
  private final String name;
  private final int index;

  EmbeddedStructure(GmuNode node, Balance balance, CutOffs cutOffs, String name, int index) {
    this.node = node;
    this.balance = balance;
    this.cutOffs = cutOffs;
    this.name = name;
    this.index = index;
  }

  @Override
  public List<Subtree> subtrees() {
    return placed().stream().map(StructureViews::of).toList();
  }

  private GridLoad grid() {
    try {
      return balance.grid();
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  private List<PlacedSubtree> placed() {
    List<PlacedSubtree> own =
        grid().subtrees().stream().filter(subtree -> subtree.index() == index).toList();
    if (own.isEmpty()) {
      throw new CanopyException(
          ErrorCode.SHARD_UNAVAILABLE, "node " + node.self() + " has no copy of the crown yet");
    }
    return own;
  }

  @Override
  public List<StructureChange> changes() {
    GridAnswers.Told told =
        balance.answers().ofAll(NodeQuestions.Kind.CHANGES, ChangeBytes.encodeQuestion(index));
    if (told.silent() > 0) {
      throw Balance.silent();
    }
    List<StructureChange> all = new ArrayList<>(balance.changes(index));
    for (byte[] answer : told.answers()) {
      all.addAll(ChangeBytes.decode(answer));
    }
    all.sort(Comparator.comparingLong(StructureChange::startedMillis));
    return all;
  }

  @Override
  public CutOff cutOff() {
    GridLoad grid = grid();
    int subtrees = (int) grid.subtrees().stream().filter(s -> s.index() == index).count();
    int perNode = grid.cutOffs().getOrDefault(index, balance.limits().subtreesPerNode());
    return new CutOff(
        subtrees,
        grid.nodes() * perNode,
        perNode,
        grid.cutOffs().containsKey(index),
        balance.limits().enabled());
  }

  @Override
  public CutOff fixCutOff(OptionalInt subtreesPerNode) {
    if (subtreesPerNode.isPresent()) {
      int wanted = subtreesPerNode.getAsInt();
      if (wanted < 1 || wanted > CutOff.SUBTREES_PER_NODE_MAX) {
        throw invalid(
            "subtrees per node must be from 1 to " + CutOff.SUBTREES_PER_NODE_MAX + ": " + wanted);
      }
    }
    cutOffs.fix(index, subtreesPerNode);
    return cutOff();
  }

  @Override
  public StructureChange split(byte[] at) {
    PlacedSubtree subtree = find(placed(), at);
    if (Arrays.equals(subtree.low(), at)) {
      throw invalid("a subtree begins at the key already");
    }
    return run(
        new PlannedChange.Split(
            subtree,
            at,
            Closing.ANY_SHARD,
            Math.max(1, subtree.entries() / 2),
            PlannedChange.Reason.ASKED));
  }

  @Override
  public StructureChange merge(byte[] key) {
    List<PlacedSubtree> all = placed();
    if (all.size() == 1) {
      throw invalid("it has one subtree only");
    }
    PlacedSubtree subtree = find(all, key);
    boolean left = subtree.high() == null;
    return run(
        new PlannedChange.Merge(subtree, left, subtree.entries(), PlannedChange.Reason.ASKED));
  }

  @Override
  public StructureChange move(byte[] key, String to) {
    GridLoad grid = grid();
    PlacedSubtree subtree = find(placed(), key);
    NodeId target =
        grid.primaries().stream()
            .filter(primary -> primary != null && primary.toString().equals(to))
            .findAny()
            .orElseThrow(() ->
                invalid("no node '" + to + "' serves a part of the data, but " + nodes(grid)));
    if (target.equals(subtree.node())) {
      throw invalid("the subtree is at node '" + to + "' already");
    }
    int shard = grid.shardAt(target);
    return run(
        new PlannedChange.Move(subtree, shard, subtree.entries(), PlannedChange.Reason.ASKED));
  }

  private static String nodes(GridLoad grid) {
    return grid.primaries().stream()
        .filter(primary -> primary != null)
        .map(primary -> "'" + primary + "'")
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static PlacedSubtree find(List<PlacedSubtree> all, byte[] key) {
    PlacedSubtree found = all.get(0);
    for (PlacedSubtree subtree : all) {
      if (Arrays.compareUnsigned(subtree.low(), key) <= 0) {
        found = subtree;
      }
    }
    return found;
  }

  private StructureChange run(PlannedChange change) {
    try {
      return StructureViews.of(node, balance.runs().run(change, () -> true));
    } catch (TimeoutException e) {
      throw Failures.timeout(null, e);
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  private CanopyException invalid(String what) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, "index '" + name + "': " + what);
  }
}
