package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a node stands when the leader of a view asks all what they have ({@link Lineage}).
 *
 * @param view the view's number
 * @param installed the topology installed last, 0 before the first
 * @param drops whether that one lacks a member of the one before: all its members had agreed to it
 * @param counted Infinispan's newest topology, which this node need not have installed
 * @param members of the topology installed last
 */
record Standing(int view, long installed, boolean drops, int counted, List<NodeId> members) {
  private static final byte KIND = 68;
  private static final int FIXED_BYTES = 2 + Integer.BYTES + Long.BYTES + 1 + 2 * Integer.BYTES;

  Standing {
    members = List.copyOf(members);
  }

  /**
   * The higher the later. Of two sides that used the same id, the one that has dropped a member is
   * ahead: the other side's topology is waiting for those who have dropped it.
   */
  long rank() {
    return 2 * installed + (drops ? 1 : 0);
  }

  /** Whether this node has gone on without that one, and further. */
  boolean isWithout(NodeId node, Standing its) {
    return its.installed > 0 && rank() > its.rank() && !members.contains(node);
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + members.size() * Long.BYTES);
    out.put(Greeting.MARK).put(KIND).putInt(view).putLong(installed);
    out.put((byte) (drops ? 1 : 0)).putInt(counted).putInt(members.size());
    members.forEach(member -> out.putLong(member.value()));
    return out.array();
  }

  /** The standing, null where the bytes are something else. */
  static @Nullable Standing decode(byte[] bytes, int offset, int length) {
    if (length < FIXED_BYTES || bytes[offset] != Greeting.MARK || bytes[offset + 1] != KIND) {
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
      return in.hasRemaining() ? null : new Standing(view, installed, drops, counted, members);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }
}
