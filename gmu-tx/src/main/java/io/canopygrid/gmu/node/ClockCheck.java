package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.Transport;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Refuses clocks from outside that name numbers which no shard has given (protocol.md, Clocks from
 * outside). Thread-safe.
 */
final class ClockCheck {
  /** The time for which a transaction waits for the topology that its clock names. */
  private static final long CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A node is never so many topologies behind the one that gave the clock. */
  private static final long EPOCHS_BEHIND_MAX = 1 << 10;

  /** After this time without an answer the primaries are not the only ones to be asked. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final ProtocolNode protocol;
  private final ProtocolDriver driver;
  private final Transport transport;
  private final GivenNumbers numbers;
  private final int top;

  /** Whether this node lets transactions begin. */
  private final BooleanSupplier isOpen;

  /** Whether this node can ask others now. */
  private final BooleanSupplier canAsk;

  ClockCheck(
      ProtocolNode protocol,
      ProtocolDriver driver,
      Transport transport,
      GivenNumbers numbers,
      int top,
      BooleanSupplier isOpen,
      BooleanSupplier canAsk) {
    this.protocol = protocol;
    this.driver = driver;
    this.transport = transport;
    this.numbers = numbers;
    this.top = top;
    this.isOpen = isOpen;
    this.canAsk = canAsk;
  }

  /** Whether {@link #require} returns at once. */
  boolean knows(VectorClock clock) {
    return protocol.lostBy(clock) == null && numbers.knows(clock);
  }

  /**
   * Returns where a clock names only numbers that were given, or no transaction begins here any
   * more.
   *
   * @throws ForeignClockException where it names others
   * @throws CommitsLostException where a power cut may have taken commits that it names
   * @throws UnknownClockException where no owner has said until the deadline, or can be asked
   */
  void require(VectorClock clock, long deadlineNanos) {
    requireKept(clock);
    if (numbers.knows(clock)) {
      return;
    }
    awaitTopology(clock, deadlineNanos);
    boolean allOwners = false;
    for (VectorClock unknown = unknown(clock);
        unknown.size() > 0 && isOpen.getAsBoolean();
        unknown = unknown(clock)) {
      if (deadlineNanos - System.nanoTime() <= 0 || !canAsk.getAsBoolean()) {
        throw new UnknownClockException(unknown.shardAt(0));
      }
      ask(unknown, allOwners, Math.min(deadlineNanos, System.nanoTime() + ASK_AGAIN_NANOS));
      allOwners = true;
    }
  }

  /**
   * Returns where no power cut can have taken what a clock has seen.
   *
   * @throws CommitsLostException otherwise
   */
  void requireKept(VectorClock clock) {
    CommitsLostException.requireKept(protocol, clock);
  }

  private VectorClock unknown(VectorClock clock) {
    return protocol.unknown(clock, topologyId(), numbers.known());
  }

  private long topologyId() {
    Topology current = driver.topology();
    return current == null ? 0 : current.id();
  }

  /** This node may lag behind the one that gave the clock: it waits a while for the topology. */
  private void awaitTopology(VectorClock clock, long deadlineNanos) {
    long began = System.nanoTime();
    long wait = Math.min(deadlineNanos - began, CATCH_UP_NANOS);
    while (!protocol.canBeOurs(clock, topologyId())) {
      int last = clock.shardAt(clock.size() - 1);
      if (last > top) {
        throw new ForeignClockException("the clock names shard " + last + ", which does not exist");
      }
      if (!isOpen.getAsBoolean()) {
        return;
      }
      boolean isNear = protocol.canBeOurs(clock, topologyId() + EPOCHS_BEHIND_MAX);
      if (!isNear || System.nanoTime() - began >= wait) {
        throw notOurs();
      }
      pause();
    }
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted before the begin");
    }
  }

  private void ask(VectorClock unknown, boolean allOwners, long untilNanos) {
    try (GivenNumbers.Question question = numbers.open(unknown)) {
      boolean asked =
          transport.exchange(
              () ->
                  driver.step((node, now, effects) ->
                      node.askNumbers(question.request, unknown, allOwners, now, effects)),
              question.answer::isDone,
              untilNanos);
      Boolean given = asked ? question.answer.await(untilNanos) : null;
      if (given == null) {
        return;
      }
      if (!given) {
        throw notOurs();
      }
      numbers.learn(unknown);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException("interrupted before the begin").initCause(e);
    }
  }

  private static ForeignClockException notOurs() {
    return new ForeignClockException("the clock names commits that this grid does not have");
  }
}
