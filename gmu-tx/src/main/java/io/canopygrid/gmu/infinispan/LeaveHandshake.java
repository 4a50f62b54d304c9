package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits until the nodes that stay can do without this one. A node that leaves Infinispan's cache
 * still leads the others through their rebalance where it is the oldest. Were it gone at once, the
 * others would take what it did not finish for a crash, and find half of the nodes missing.
 * Thread-safe.
 */
final class LeaveHandshake {
  private static final long ASK_AGAIN_MILLIS = 20;
  private static final int LEAVE_AGAIN_ROUNDS = 10;

  /** For which who has given up still waits: members that are there answer within a moment. */
  private static final long GIVEN_UP_MILLIS = 5_000;

  private final long givenUpMillis;
  private final Set<NodeId> released = new HashSet<>();
  private long patientUntil = System.nanoTime();

  LeaveHandshake() {
    this(GIVEN_UP_MILLIS);
  }

  /** A handshake in which who has given up waits so long. */
  LeaveHandshake(long givenUpMillis) {
    this.givenUpMillis = givenUpMillis;
  }

  synchronized void releasedBy(NodeId node) {
    released.add(node);
    notifyAll();
  }

  /** A member has to make copies first, and they come. */
  synchronized void waits() {
    patientUntil = System.nanoTime() + Arrivals.PATIENCE_NANOS;
    notifyAll();
  }

  /** Whether a member has said lately that copies come to it. */
  synchronized boolean copiesCome() {
    return System.nanoTime() - patientUntil < 0;
  }

  /**
   * Asks again and again, until all have consented or the time is up; once in any case.
   *
   * @param millisMax after which it waits no longer, unless copies still come to a member
   * @param givesUp whether to wait for a moment only, whatever comes: the others must still hear
   *     that this node leaves, as they would take it for lost
   * @param others the grid's present members without this node
   * @param ask asks one of them
   * @param leaveAgain tells Infinispan once more: a node that has just become the oldest asks the
   *     others for their state, and forgets meanwhile which nodes leave
   * @return the present members that have not consented; none: all have
   */
  synchronized Set<NodeId> await(
      long millisMax,
      BooleanSupplier givesUp,
      Supplier<Set<NodeId>> others,
      Consumer<NodeId> ask,
      Runnable leaveAgain) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
    boolean hasGivenUp = false;
    try {
      for (int round = 0;
          !released.containsAll(others.get())
              && (round == 0 || System.nanoTime() - deadline < 0 || (!hasGivenUp && copiesCome()));
          round++) {
        if (!hasGivenUp && givesUp.getAsBoolean()) {
          hasGivenUp = true;
          long moment = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(givenUpMillis);
          deadline = deadline - moment < 0 ? deadline : moment;
        }
        others.get().forEach(ask);
        if (round % LEAVE_AGAIN_ROUNDS == LEAVE_AGAIN_ROUNDS - 1) {
          leaveAgain.run();
        }
        wait(ASK_AGAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Set<NodeId> missing = new HashSet<>(others.get());
    missing.removeAll(released);
    return missing;
  }
}
