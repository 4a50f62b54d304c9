package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Message;

/**
 * Carries messages to other members: each arrives, once, in any order, unless a side dies. Sending
 * does not block and may be called from any thread.
 */
public interface Transport {
  void send(NodeId to, Message message);

  /** What carries the questions of the layer above. */
  default NodeCalls calls() {
    return NodeCalls.NONE;
  }
}
