package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.CutOff;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Carries out the requests about the subtrees of an index. Thread-safe; may block. */
final class StructureRequests {
  /** The most subtrees that one answer has. */
  private static final int SUBTREES_MAX = 1_000;

  private final ServedNode node;

  StructureRequests(ServedNode node) {
    this.node = node;
  }

  /** The answer to a request; null: the request is about something else. */
  @Nullable Reply answer(Request request, Access access) {
    if (request instanceof Request.AskSubtrees ask) {
      return subtrees(ask, structure(ask.index(), Right.READ, access));
    }
    if (request instanceof Request.AskChanges ask) {
      return new Reply.Changes(structure(ask.index(), Right.READ, access).changes());
    }
    if (request instanceof Request.AskCutOff ask) {
      Right right = ask.fix() ? Right.ADMIN : Right.READ;
      return new Reply.CutOffIs(cutOff(ask, structure(ask.index(), right, access)));
    }
    if (request instanceof Request.Reshape reshape) {
      IndexStructure structure = structure(reshape.index(), Right.ADMIN, access);
      return new Reply.Changes(List.of(changed(reshape, structure)));
    }
    return null;
  }

  private IndexStructure structure(int number, Right right, Access access) {
    IndexRef index = node.index(number);
    access.check(right, right == Right.ADMIN ? "" : index.name());
    return node.structure(index);
  }

  private static Reply.Subtrees subtrees(Request.AskSubtrees ask, IndexStructure structure) {
    int most = Math.min(Math.max(1, ask.max()), SUBTREES_MAX);
    List<Subtree> rest =
        structure.subtrees().stream()
            .filter(subtree -> Arrays.compareUnsigned(subtree.from(), ask.from()) >= 0)
            .toList();
    return new Reply.Subtrees(rest.size() <= most, rest.subList(0, Math.min(most, rest.size())));
  }

  private static CutOff cutOff(Request.AskCutOff ask, IndexStructure structure) {
    if (!ask.fix()) {
      return structure.cutOff();
    }
    return structure.fixCutOff(
        ask.subtreesPerNode() == 0 ? OptionalInt.empty() : OptionalInt.of(ask.subtreesPerNode()));
  }

  private static StructureChange changed(Request.Reshape reshape, IndexStructure structure) {
    return switch (reshape.kind()) {
      case SPLIT -> structure.split(reshape.key());
      case MERGE -> structure.merge(reshape.key());
      case MOVE -> structure.move(reshape.key(), reshape.node());
    };
  }
}
