package io.canopygrid.btree.serve;

/**
 * A member of the cluster.
 *
 * @param name for people
 * @param address where it listens to other nodes; {@code -}: not known
 * @param reachable whether it is there now; of one that is not, no shard is served and no copy
 *     counts
 * @param primaryShards how many shards it is the primary of
 * @param ownedShards how many shards it has a copy of
 */
public record GridMember(
    String node,
    String name,
    String address,
    boolean reachable,
    int primaryShards,
    int ownedShards) {}
