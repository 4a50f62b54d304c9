package io.canopygrid.gmu.node;

import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolNode;
import java.util.List;

/** What goes into a protocol node in one step. */
interface ProtocolStep {
  ProtocolStep TICK = ProtocolNode::onTick;

  void apply(ProtocolNode node, long nowNanos, List<Effect> effects);
}
