package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.transport.HostMessages;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node's topology, which it tells the others when the leader of a view asks all
 * nodes what they have ({@link TopologyRecovery}).
 *
 * @param view the view's number
 * @param installed the topology installed last, 0 before the first
 * @param drops whether that topology lacks a member of the one before: all its members had agreed
 *     to it
 * @param counted Infinispan's newest topology, which this node need not have installed
 * @param members of the topology installed last
 */
record TopologyStatus(int view, long installed, boolean drops, int counted, List<NodeId> members) {
  private static final byte KIND = 68;
  private static final int FIXED_BYTES = 2 + Integer.BYTES + Long.BYTES + 1 + 2 * Integer.BYTES;

  TopologyStatus {
    members = List.copyOf(members);
  }

  /**
   * The order of what nodes have installed; a higher rank is later. Of two sides that used the same
   * id, the side that has dropped a member is ahead: the other side's topology waits for the nodes
   * that have dropped it.
   */
  long rank() {
    return 2 * installed + (drops ? 1 : 0);
  }

  /** Whether this node has gone on without the other node, and further. */
  boolean isWithout(NodeId node, TopologyStatus its) {
    return its.installed > 0 && rank() > its.rank() && !members.contains(node);
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + members.size() * Long.BYTES);
    out.put(HostMessages.MARK).put(KIND).putInt(view).putLong(installed);
    out.put((byte) (drops ? 1 : 0)).putInt(counted).putInt(members.size());
    members.forEach(member -> out.putLong(member.value()));
    return out.array();
  }

  /** The status; null where the bytes are something else. */
  static @Nullable TopologyStatus decode(byte[] bytes, int offset, int length) {
    if (length < FIXED_BYTES || bytes[offset] != HostMessages.MARK || bytes[offset + 1] != KIND) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 2, length - 2);
    try {
      int view = in.getInt();
      long installed = in.getLong();
      boolean drops = in.get() != 0;
      int counted = in.getInt();
      int size = in.getInt();
      List<NodeId> members = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        members.add(new NodeId(in.getLong()));
      }
      return in.hasRemaining()
          ? null
          : new TopologyStatus(view, installed, drops, counted, members);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }
}
