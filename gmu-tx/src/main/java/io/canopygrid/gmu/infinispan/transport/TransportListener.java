package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.Set;

/**
 * Takes in what comes from other members of one grid. Called by JGroups' threads, several at a
 * time; no method may block, and none throws.
 */
public interface TransportListener {
  /** Runs what the transport does with what has come; stops the node where that must not be. */
  void enter(Runnable work);

  /**
   * A message of the protocol has come.
   *
   * @param bytes its length
   */
  void received(NodeId source, Message message, int bytes);

  /**
   * Bytes that begin with {@link HostMessages#MARK} have come from another host.
   *
   * @param bytes the caller's own again afterwards
   */
  void hostMessage(NodeId source, byte[] bytes, int offset, int length);

  /** The channel sees these nodes from now on, this node included. */
  void viewChanged(Set<NodeId> present);

  /** The members of the topology that this node has, itself included; empty before the first. */
  Set<NodeId> members();
}
