package io.canopygrid.gmu.infinispan.transport;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.ProtocolStack;

/**
 * Lets a node that has lost the others report that to them, so that they suspect it.
 *
 * <p>JGroups suspects a member that is silent. A node that hears no other node is not silent
 * itself. Nor is a node that has heard no other node for a while and has had a view of its own
 * since. The others keep such a node as a member that answers nothing, and their questions to it
 * wait until the views are merged. So a node that finds itself on the lesser side reports to the
 * members that it has lost, again and again as long as it has lost them. A member that gets a
 * report asks the node whether it is alive, as JGroups does with silent nodes, and drops it where
 * no answer comes back. A member that gets a second report in one view drops the node in any case.
 * Thread-safe.
 */
final class LossReports {
  /** Two bytes, which no other message of a host has alone. */
  private static final byte[] REPORT = {HostMessages.MARK, 67};

  private static final long REPEAT_MILLIS = 1_000;

  private final ProtocolStack stack;
  private final Supplier<Set<NodeId>> grid;
  private final Consumer<Peer> tell;

  /** Members of earlier views that are not in this view, as far as they are the grid's. */
  private final Map<NodeId, Peer> lost = new HashMap<>();

  /** Members that have reported in this view that they have lost this node. */
  private final Set<Address> reporters = new HashSet<>();

  private boolean repeats;
  private boolean closed;

  /**
   * For one node.
   *
   * @param grid the members of the topology that this node has, itself included
   * @param tell sends the {@link #report()} to another node; it need not arrive
   */
  LossReports(ProtocolStack stack, Supplier<Set<NodeId>> grid, Consumer<Peer> tell) {
    this.stack = stack;
    this.grid = grid;
    this.tell = tell;
  }

  /** The bytes of a report. */
  static ByteBuffer report() {
    return ByteBuffer.wrap(REPORT.clone());
  }

  static boolean isReport(byte[] bytes, int offset, int length) {
    return length == REPORT.length && bytes[offset] == REPORT[0] && bytes[offset + 1] == REPORT[1];
  }

  /** The channel has another view. */
  synchronized void viewChanged(Map<NodeId, Peer> before, Map<NodeId, Peer> now) {
    reporters.clear();
    lost.putAll(before);
    lost.keySet().removeAll(now.keySet());
    Invariant.holds(
        Collections.disjoint(lost.keySet(), now.keySet()), "both lost and present: %s", lost);
    if (!repeats) {
      reportLoss();
    }
  }

  private synchronized void reportLoss() {
    Set<NodeId> members = grid.get();
    lost.keySet().retainAll(members);
    // The others go on without this node only if they are more.
    repeats = !closed && 2 * lost.size() > members.size();
    if (repeats) {
      lost.values().forEach(tell);
      var unused =
          stack
              .getTransport()
              .getTimer()
              .schedule(this::reportLoss, REPEAT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** A member of the view reports that it has lost this node. */
  void received(Address member) {
    // A user's stack may lack this protocol; the node is then found when its link is whole again.
    VERIFY_SUSPECT2 verify = stack.findProtocol(VERIFY_SUSPECT2.class);
    if (verify == null) {
      return;
    }
    boolean first;
    synchronized (this) {
      first = reporters.add(member);
    }
    Event suspect = new Event(Event.SUSPECT, List.of(member));
    if (first) {
      verify.up(suspect);
    } else {
      verify.getUpProtocol().up(suspect);
    }
  }

  /** Ends the reports. */
  synchronized void close() {
    closed = true;
  }
}
