package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.NodeId;

/** One node's copy of one shard: what a prepare or decision is sent to. */
record Holder(NodeId node, int shard) {}
