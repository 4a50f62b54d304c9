package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The cut and placement of an index, as the servers tell them. Thread-safe. */
public final class RemoteStructure implements IndexStructure {
  /** Subtrees asked for at a time. */
  private static final int PAGE = 1_000;

  private final Questions questions;
  private final int index;

  /** The structure of the index with a number. */
  public RemoteStructure(Questions questions, int index) {
    this.questions = questions;
    this.index = index;
  }

  @Override
  public List<Subtree> subtrees() {
    List<Subtree> all = new ArrayList<>();
    byte[] from = new byte[0];
    while (true) {
      Reply.Subtrees page =
          questions.ask(new Request.AskSubtrees(index, from, PAGE), Reply.Subtrees.class);
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
    return questions.ask(new Request.AskChanges(index), Reply.Changes.class).changes();
  }

  @Override
  public CutOff cutOff() {
    return questions.ask(new Request.AskCutOff(index, false, 0), Reply.CutOffIs.class).cutOff();
  }

  @Override
  public CutOff fixCutOff(OptionalInt subtreesPerNode) {
    int wanted = subtreesPerNode.isPresent() ? checked(subtreesPerNode.getAsInt()) : 0;
    return questions.ask(new Request.AskCutOff(index, true, wanted), Reply.CutOffIs.class).cutOff();
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
    Request.Reshape request = new Request.Reshape(index, kind, key, node);
    return questions.askOnce(request, Reply.Changes.class).changes().get(0);
  }
}
