package io.canopygrid.gmu.node;

import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolNode;
import java.util.List;

/** One step of a protocol node: an input, and the effects that it adds to the list. */
interface ProtocolStep {
  ProtocolStep TICK = ProtocolNode::onTick;

  void apply(ProtocolNode node, long nowNanos, List<Effect> effects);
}
