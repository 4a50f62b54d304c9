package io.canopygrid.gmu.protocol.membership;

import io.canopygrid.gmu.NodeId;

/** One node's copy of one shard: what a prepare or decision is sent to. */
public record Replica(NodeId node, int shard) {}
