package io.canopygrid.gmu.infinispan;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.ProtocolStack;

/**
 * Lets a node that hears the others no more tell them so.
 *
 * <p>JGroups takes a node for dead when it is silent. One that only hears nobody is not silent: the
 * others keep it as a member that answers nothing, and whatever they ask it waits for as long as
 * that lasts. So who finds itself on the lesser side of a cut tells those whom it has lost; who
 * hears that asks it whether it is alive, as JGroups does with silent nodes, and drops it where no
 * answer comes back. Thread-safe.
 */
final class Deafness {
  /** No message, and longer than none that begins so: a {@link Greeting} has a number there. */
  private static final byte[] WORDS = {Greeting.MARK, 67};

  private final ProtocolStack stack;

  Deafness(ProtocolStack stack) {
    this.stack = stack;
  }

  /** What is told. */
  static ByteBuffer words() {
    return ByteBuffer.wrap(WORDS.clone());
  }

  static boolean isTold(byte[] bytes, int offset, int length) {
    return length == WORDS.length && bytes[offset] == WORDS[0] && bytes[offset + 1] == WORDS[1];
  }

  /** Whether those that are left are so few that the others go on without them. */
  static boolean isLesserSide(Set<?> left, Set<?> before) {
    return 2 * left.size() < before.size();
  }

  /** A member of the view says that it does not hear this node. */
  void told(Address member) {
    // A stack of one's own may do without; then such a node is found when its link is whole again.
    VERIFY_SUSPECT2 verify = stack.findProtocol(VERIFY_SUSPECT2.class);
    if (verify != null) {
      verify.up(new Event(Event.SUSPECT, List.of(member)));
    }
  }
}
