package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.nio.ByteBuffer;
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
 * Lets a node that has lost the others tell them so, where they go on hearing it.
 *
 * <p>JGroups takes a node for dead when it is silent. One that only hears nobody, or has heard
 * nobody for a while and has a view of its own since, is not silent: the others keep it as a member
 * that answers nothing, and whatever they ask it waits until the views are merged. So who finds
 * itself on the lesser side tells those whom it has lost, again and again as long as it has lost
 * them. Who hears that asks it whether it is alive, as JGroups does with silent nodes, and drops it
 * where no answer comes back; who hears it twice in one view drops it in any case. Thread-safe.
 */
final class Deafness {
  /** No message, and longer than none that begins so: a {@link Greeting} has a number there. */
  private static final byte[] WORDS = {Greeting.MARK, 67};

  private static final long REPEAT_MILLIS = 1_000;

  private final ProtocolStack stack;
  private final Supplier<Set<NodeId>> grid;
  private final Consumer<Peer> tell;

  /** Members of earlier views that are not in this one, as far as they are the grid's. */
  private final Map<NodeId, Peer> lost = new HashMap<>();

  /** Who has said in this view that it has lost this node. */
  private final Set<Address> losers = new HashSet<>();

  private boolean repeats;
  private boolean closed;

  /**
   * For one node.
   *
   * @param grid the members of the topology that this node has, itself included
   * @param tell says the {@link #words()} to another node, which need not arrive
   */
  Deafness(ProtocolStack stack, Supplier<Set<NodeId>> grid, Consumer<Peer> tell) {
    this.stack = stack;
    this.grid = grid;
    this.tell = tell;
  }

  /** What is told. */
  static ByteBuffer words() {
    return ByteBuffer.wrap(WORDS.clone());
  }

  static boolean isTold(byte[] bytes, int offset, int length) {
    return length == WORDS.length && bytes[offset] == WORDS[0] && bytes[offset + 1] == WORDS[1];
  }

  /** Another view. */
  synchronized void viewed(Map<NodeId, Peer> before, Map<NodeId, Peer> now) {
    losers.clear();
    lost.putAll(before);
    lost.keySet().removeAll(now.keySet());
    if (!repeats) {
      tellLost();
    }
  }

  private synchronized void tellLost() {
    Set<NodeId> members = grid.get();
    lost.keySet().retainAll(members);
    // The others go on without this one only if they are more.
    repeats = !closed && 2 * lost.size() > members.size();
    if (repeats) {
      lost.values().forEach(tell);
      var unused =
          stack
              .getTransport()
              .getTimer()
              .schedule(this::tellLost, REPEAT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** A member of the view says that it has lost this node. */
  void told(Address member) {
    // A stack of one's own may do without; then such a node is found when its link is whole again.
    VERIFY_SUSPECT2 verify = stack.findProtocol(VERIFY_SUSPECT2.class);
    if (verify == null) {
      return;
    }
    boolean first;
    synchronized (this) {
      first = losers.add(member);
    }
    Event suspect = new Event(Event.SUSPECT, List.of(member));
    if (first) {
      verify.up(suspect);
    } else {
      verify.getUpProtocol().up(suspect);
    }
  }

  /** Nothing is told any more. */
  synchronized void close() {
    closed = true;
  }
}
