package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The turns in which members leave: one at a time, by the consent of all the others that are there
 * (Ricart and Agrawala's mutual exclusion, with ids as the order). A member consents unless it has
 * the turn, or wants it and comes first. Where it wants the turn and lets another member go first,
 * its own consents count no longer: the other one has perhaps given its consent before it wanted
 * the turn itself. No node keeps the turn for others, so the death of any node takes nothing away
 * but that node: its consent is not asked for once the network shows it no more. Thread-safe.
 */
final class LeaveTurns {
  private final NodeId self;
  private final BiConsumer<NodeId, LeaveTurn> send;

  // Guarded by this object.
  private boolean wants;
  private boolean has;

  /** Consents to an earlier round do not count. Grows only. */
  private int round;

  private final Set<NodeId> consents = new HashSet<>();

  LeaveTurns(NodeId self, BiConsumer<NodeId, LeaveTurn> send) {
    this.self = self;
    this.send = send;
  }

  /**
   * Takes the turn where all of these have consented, and asks those that have not.
   *
   * @param others the members that are there, without this node
   * @return whether this node has the turn; it keeps it until it is gone, or {@linkplain #giveUp
   *     gives it up}
   */
  boolean take(Set<NodeId> others) {
    Set<NodeId> missing = new HashSet<>(others);
    LeaveTurn question;
    synchronized (this) {
      wants = true;
      missing.removeAll(consents);
      has |= missing.isEmpty();
      if (has) {
        return true;
      }
      question = new LeaveTurn(true, round);
    }
    missing.forEach(to -> send.accept(to, question));
    return false;
  }

  /** Wants the turn no longer, and gives up one that it has: it does not leave. */
  synchronized void giveUp() {
    wants = false;
    has = false;
    round++;
    consents.clear();
  }

  /** The members whose consent is missing. */
  synchronized Set<NodeId> missing(Set<NodeId> others) {
    Set<NodeId> missing = new HashSet<>(has ? Set.of() : others);
    missing.removeAll(consents);
    return missing;
  }

  void heard(NodeId from, LeaveTurn message) {
    if (!message.asks()) {
      hasConsented(from, message.round());
    } else if (consentsTo(from)) {
      send.accept(from, new LeaveTurn(false, message.round()));
    }
  }

  private synchronized boolean consentsTo(NodeId from) {
    Invariant.holds(!from.equals(self), "%s asks itself for the turn to leave", self);
    if (!wants) {
      return true;
    }
    if (has || self.compareTo(from) < 0) {
      return false;
    }
    round++;
    consents.clear();
    return true;
  }

  private synchronized void hasConsented(NodeId from, int asked) {
    if (wants && asked == round) {
      consents.add(from);
    }
  }
}
