package io.canopygrid.server.state;

import io.canopygrid.wire.client.Reply;

/**
 * The state of a grid in one sentence.
 *
 * @param status as a server tells it
 * @param reachable members that are there
 * @param members of the topology installed last
 * @param copies of shards at reachable members
 * @param wanted copies that all shards are to have together
 * @param served shards whose primaries are there
 */
public record GridVerdict(
    Reply.Status status, int reachable, int members, long copies, long wanted, int served) {
  /** The state as a server tells it. */
  public static GridVerdict of(Reply.Status status) {
    int reachable = 0;
    long copies = 0;
    int served = 0;
    for (Reply.NodeStatus node : status.nodes()) {
      if (node.reachable()) {
        reachable++;
        copies += node.ownedShards();
        served += node.primaryShards();
      }
    }
    long wanted = (long) status.shards() * status.owners();
    return new GridVerdict(status, reachable, status.nodes().size(), copies, wanted, served);
  }

  /** The need that somebody looks at a grid. */
  public enum Level {
    /** All is served, and a failure is survived. */
    GOOD,
    /** All is served, and the next failure may lose data, or a node does not answer. */
    AT_RISK,
    /** Something is not served. */
    BROKEN
  }

  /** The need that somebody looks at the grid. */
  public Level level() {
    if (isMinority() || served < status.shards()) {
      return Level.BROKEN;
    }
    boolean isGood = reachable == members && survived() > 0 && status.ready();
    return isGood ? Level.GOOD : Level.AT_RISK;
  }

  /** Whether half of the members are gone, after which no shard is served. */
  boolean isMinority() {
    return reachable < members && 2 * (members - reachable) >= members && status.owners() > 1;
  }

  /** The number of members that may still be lost at once. */
  int survived() {
    return copies < wanted ? 0 : Math.min(status.owners() - 1, (members - 1) / 2);
  }

  /**
   * The sentence.
   *
   * @param onDisk whether what the members have lost is on their disks
   */
  public String text(boolean onDisk) {
    String counts =
        reachable + " of " + members + " nodes, " + copies + " of " + wanted + " copies, ";
    if (isMinority()) {
      return counts
          + "nothing is served: half of the nodes or more were lost at once. "
          + (onDisk
              ? "Start the lost ones again: their data is on their disks"
              : "Where they do not answer again, stop those that are left and start the grid anew");
    }
    if (served < status.shards()) {
      return counts + (status.shards() - served) + " shards are not served";
    }
    String after = counts + survivedText();
    return status.ready() ? after : after + "; the server that says so is not ready";
  }

  private String survivedText() {
    return switch (survived()) {
      case 0 -> "no failure is survived";
      case 1 -> "one more failure is survived";
      default -> survived() + " failures at once are survived";
    };
  }
}
