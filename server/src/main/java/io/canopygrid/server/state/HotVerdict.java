package io.canopygrid.server.state;

import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a grid has copies of hot entries, in words.
 *
 * @param mode {@code on}, {@code off}, or {@code mixed}
 */
public record HotVerdict(String mode, String text) {
  private static final String TURN_ON =
      "set balance.hotEntries to auto on all nodes, and start them again";

  /** The words for what a server has told. */
  public static HotVerdict of(Reply.HotEntries told) {
    List<String> off =
        told.nodes().stream()
            .filter(node -> node.mode() == HotNode.Mode.OFF)
            .map(HotNode::node)
            .toList();
    if (off.size() == told.nodes().size()) {
      return new HotVerdict("off", "Copies of hot entries are off: " + TURN_ON + ".");
    }
    if (!off.isEmpty()) {
      String nodes = off.stream().sorted().collect(Collectors.joining(", "));
      return new HotVerdict(
          "mixed", "Copies of hot entries are off at " + nodes + ": " + TURN_ON + ".");
    }
    return new HotVerdict("on", entries(told.entries().size()) + others(told.hidden()));
  }

  private static String entries(int count) {
    return switch (count) {
      case 0 -> "No entry is hot: callers at other nodes have to read it often, with NEAREST.";
      case 1 -> "One entry is hot.";
      default -> count + " entries are hot.";
    };
  }

  private static String others(int hidden) {
    return switch (hidden) {
      case 0 -> "";
      case 1 -> " There is one more, of an index that you may not read.";
      default -> " There are " + hidden + " more, of indexes that you may not read.";
    };
  }
}
