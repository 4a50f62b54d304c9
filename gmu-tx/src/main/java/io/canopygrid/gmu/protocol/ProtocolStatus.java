package io.canopygrid.gmu.protocol;

import java.util.List;

/**
 * The things under way at a node, for people and tests: in a grid at rest all counts are 0.
 *
 * @param topology the id of the topology installed last, 0 before the first
 * @param flushDone all members have said that they have resolved the flushes of this topology
 * @param transactions begun and not ended
 * @param attempts prepared here and not done
 * @param decisions known and not done
 * @param deferred messages that wait for a newer topology
 */
public record ProtocolStatus(
    long topology,
    boolean flushDone,
    int transactions,
    int attempts,
    int decisions,
    int deferred,
    List<Shard> shards) {
  /**
   * A copy of a shard.
   *
   * @param primary whether this node is its primary, serving or not yet
   * @param synced whether the copy is complete
   * @param closed whether versions that the disk has are not here yet
   * @param records prepared and undecided
   * @param queued in the commit queue
   * @param locked transactions that hold locks
   * @param waiting prepares that wait for locks, or for the takeover
   * @param reading reads that wait
   * @param logged entries in the log
   */
  public record Shard(
      int shard,
      boolean primary,
      boolean serving,
      boolean synced,
      boolean closed,
      int records,
      int queued,
      int locked,
      int waiting,
      int reading,
      int logged) {
    private boolean isServed() {
      return !primary || serving || closed;
    }

    /** Whether nothing is under way here. */
    public boolean isIdle() {
      return records + queued + locked + waiting + reading == 0;
    }
  }

  public ProtocolStatus {
    shards = List.copyOf(shards);
  }

  /**
   * Whether this node has taken over all that it is the primary of. A copy that is closed counts,
   * as it is opened as soon as somebody asks.
   */
  public boolean isServing() {
    return flushDone && shards.stream().allMatch(Shard::isServed);
  }
}
