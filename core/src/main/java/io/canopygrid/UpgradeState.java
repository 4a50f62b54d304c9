package io.canopygrid;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The way of a grid's nodes to a new release, as it is now. A release speaks its own level and the
 * one before, and a grid is at one level that all its nodes speak: so nodes are replaced one after
 * the other, and back, until the upgrade is finalized (docs/operate/operations.md, Upgrade).
 * Immutable.
 *
 * @param level of the grid, at which its nodes write to each other
 * @param joined the level that a node must speak to join; above {@code level} while an upgrade is
 *     being finalized, or where that was interrupted
 * @param nodes all that the asked node can reach, members first
 */
public record UpgradeState(int level, int joined, List<Node> nodes) {
  public UpgradeState {
    nodes = List.copyOf(nodes);
  }

  /**
   * A node.
   *
   * @param id in the grid
   * @param name for people; the id where the node has none
   * @param release that it runs; {@code -}: it is no server, or has not told
   * @param lowest level that it speaks; 0: it has not told
   * @param highest level that it speaks; 0: it has not told, as an older release, or a node that
   *     joins or hangs
   * @param isMember whether it is a member; false: it joins
   */
  public record Node(
      String id, String name, String release, int lowest, int highest, boolean isMember) {
    /** Whether it has told which levels it speaks. */
    public boolean hasTold() {
      return highest > 0;
    }
  }

  /** The level to which the grid can be raised now: the highest one that all nodes speak. */
  public int target() {
    return nodes.stream().mapToInt(Node::highest).min().orElse(level);
  }

  /** Whether the grid is at the level of the newest release that a node of it runs. */
  public boolean isFinal() {
    return joined == level && nodes.stream().allMatch(node -> node.highest() == level);
  }

  /**
   * Why the upgrade cannot be finalized now; empty: it can, or {@linkplain #isFinal() has been}.
   */
  public Optional<String> obstacle() {
    int newest = nodes.stream().mapToInt(Node::highest).max().orElse(level);
    return nodes.stream().filter(node -> node.highest() < newest).findFirst().map(this::behind);
  }

  private String behind(Node node) {
    String who = String.format(Locale.ROOT, "node %s (release %s) ", node.name(), node.release());
    if (node.hasTold()) {
      return who + "speaks levels up to " + node.highest() + " only";
    }
    return who
        + (node.isMember()
            ? "does not say which levels it speaks: it runs an older release, or does not answer"
            : "has not joined yet");
  }
}
