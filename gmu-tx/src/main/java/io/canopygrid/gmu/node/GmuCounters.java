package io.canopygrid.gmu.node;

/**
 * Counts of one node since its start. All only grow.
 *
 * @param remoteReads reads asked of another node
 * @param remoteCommits prepares and decisions sent to the primary of a participant on another node
 * @param replication prepares and decisions sent to backups and learners on other nodes
 * @param messages protocol messages sent to other nodes, of every kind
 * @param commits update transactions coordinated here that committed
 * @param onePhaseCommits those of them that committed in one phase
 * @param aborts prepares coordinated here that ended in an abort
 * @param stateBytes fetched from other nodes to complete this node's copies of shards
 * @param shardsWhole copies that have got all entries of their shards, where there are any
 * @param shardsByChanges copies that this node's disk had, and that have got what has changed
 * @param coldReads values that reads have got from this node's disk, as they were not in memory
 */
public record GmuCounters(
    long remoteReads,
    long remoteCommits,
    long replication,
    long messages,
    long commits,
    long onePhaseCommits,
    long aborts,
    long stateBytes,
    long shardsWhole,
    long shardsByChanges,
    long coldReads) {
  /** Of a node that has done nothing. */
  public static final GmuCounters NONE = new GmuCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Requests that waited for an answer of another node's primary. */
  public long remoteRequests() {
    return remoteReads + remoteCommits;
  }

  /** The sum of two nodes' counts. */
  public GmuCounters plus(GmuCounters other) {
    return new GmuCounters(
        remoteReads + other.remoteReads,
        remoteCommits + other.remoteCommits,
        replication + other.replication,
        messages + other.messages,
        commits + other.commits,
        onePhaseCommits + other.onePhaseCommits,
        aborts + other.aborts,
        stateBytes + other.stateBytes,
        shardsWhole + other.shardsWhole,
        shardsByChanges + other.shardsByChanges,
        coldReads + other.coldReads);
  }
}
