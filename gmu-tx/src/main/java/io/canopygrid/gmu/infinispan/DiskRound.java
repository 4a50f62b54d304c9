package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import io.canopygrid.gmu.infinispan.transport.HostMessages;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.RecoveryRound;
import io.canopygrid.gmu.recovery.RoundMessage;
import io.canopygrid.gmu.recovery.RoundMessage.Proposal;
import io.canopygrid.gmu.recovery.RoundMessage.Tells;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.wire.RoundCodec;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@linkplain RecoveryRound round} of nodes with disks, over the network. The thread that joins
 * takes all of its steps. A node that has its answer goes on to tell it to those who ask.
 * Thread-safe.
 */
final class DiskRound implements FoundingRound {
  private static final Logger LOG = LoggerFactory.getLogger(DiskRound.class);

  /** So often a node tells what it has; more often where it hears more would let all do so. */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A member that is a little late need not get its data anew. */
  private static final long PATIENCE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  /** So often the node says for what it waits, where that has changed. */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So often it says so in any case. */
  private static final long TELL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String grid;
  private final long timeoutMillis;
  private final int failuresAtOnce;
  private final Standing standing;
  private final ByteTransport transport;
  private final Supplier<Set<NodeId>> others;
  private final LongConsumer promise;
  private final BooleanSupplier isServed;
  private final DiskDesk desk;

  private final BlockingQueue<Consumer<RecoveryRound>> inbox = new LinkedBlockingQueue<>();

  // Guarded by this object.
  private @Nullable RecoveryRound round;
  private boolean isOver;

  /**
   * For one node.
   *
   * @param standing the content of its disk
   * @param others the nodes that it sees
   * @param promise stores a promise, and returns when it is forced
   * @param isServed whether a member of the grid has answered: there is nothing to found
   * @param desk says why the grid is not founded, and is told of lost disks
   */
  DiskRound(
      GridSettings settings,
      Standing standing,
      ByteTransport transport,
      Supplier<Set<NodeId>> others,
      LongConsumer promise,
      BooleanSupplier isServed,
      DiskDesk desk) {
    this.grid = settings.name();
    this.timeoutMillis = settings.joinTimeoutMillis();
    this.failuresAtOnce = settings.node().protocol().failuresAtOnce();
    this.standing = standing;
    this.transport = transport;
    this.others = others;
    this.promise = promise;
    this.isServed = isServed;
    this.desk = desk;
  }

  /** The message of a round; null where the bytes are something else, or malformed. */
  static @Nullable RoundMessage decode(byte[] bytes, int offset, int length) {
    if (length < 2 || bytes[offset] != HostMessages.MARK || !RoundCodec.isKind(bytes[offset + 1])) {
      return null;
    }
    try {
      return RoundCodec.decode(bytes, offset + 1, length - 1);
    } catch (MalformedBytesException e) {
      return null;
    }
  }

  /**
   * Takes a message in. A node that has agreed on a founding still tells it to those who say what
   * they have; one that takes part in none promises nothing, and keeps nothing of what it hears.
   */
  synchronized void heard(NodeId source, RoundMessage message) {
    RecoveryRound begun = round;
    if (begun != null && !isOver) {
      inbox.add(at -> at.heard(source, message));
    } else if (begun != null && begun.agreed() != null && message instanceof Tells) {
      begun.present(others.get());
      begun.heard(source, message);
    }
  }

  @Override
  public @Nullable FoundingPlacement agree(NodeId self) {
    RecoveryRound begun =
        new RecoveryRound(self, standing, failuresAtOnce, patienceNanos(), new Network());
    synchronized (this) {
      round = begun;
    }
    long start = System.nanoTime();
    Telling telling = new Telling(self, start);
    desk.open(inbox, () -> obstacle(self, begun), () -> nodes(self));
    try {
      for (; ; ) {
        takeIn(begun, System.nanoTime() + TICK_NANOS);
        begun.present(others.get());
        begun.tick(System.nanoTime());
        Proposal agreed = begun.agreed();
        if (agreed != null) {
          return end(placement(agreed));
        }
        if (isServed.getAsBoolean() || begun.isNothingStored()) {
          return end(null);
        }
        long now = System.nanoTime();
        telling.at(now, begun);
        if (now - start > TimeUnit.MILLISECONDS.toNanos(timeoutMillis)) {
          throw new JoinException(Reason.DISKS_MISSING, obstacle(self, begun), null);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while joining grid '" + grid + "'");
    } finally {
      desk.close();
      telling.end();
    }
  }

  private long patienceNanos() {
    return Math.min(PATIENCE_NANOS_MAX, TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2);
  }

  private synchronized @Nullable FoundingPlacement end(@Nullable FoundingPlacement answer) {
    isOver = true;
    return answer;
  }

  /** Takes in what is heard until a time, or until all have agreed. */
  private void takeIn(RecoveryRound begun, long until) throws InterruptedException {
    Consumer<RecoveryRound> next = nextHeard(until);
    while (next != null) {
      begun.present(others.get());
      next.accept(begun);
      next = begun.agreed() == null ? nextHeard(until) : null;
    }
  }

  private @Nullable Consumer<RecoveryRound> nextHeard(long until) throws InterruptedException {
    return inbox.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private static FoundingPlacement placement(Proposal agreed) {
    List<List<NodeId>> owners = agreed.owners();
    return new FoundingPlacement(
        agreed.topology() - 1,
        agreed.members(),
        owners.subList(0, owners.size() - 1),
        agreed.grid(),
        agreed.over(),
        agreed.seen(),
        agreed.cut());
  }

  private String obstacle(NodeId self, RecoveryRound begun) {
    return desk.wait(begun.answer(), nodes(self));
  }

  private Set<NodeId> nodes(NodeId self) {
    Set<NodeId> nodes = new HashSet<>(others.get());
    nodes.add(self);
    return nodes;
  }

  /** Says at times for what the node waits, but not the same again and again. */
  private final class Telling {
    private final NodeId self;
    private long nextNanos;
    private long againNanos;
    private String last = "";

    Telling(NodeId self, long nowNanos) {
      this.self = self;
      this.nextNanos = nowNanos + TELL_NANOS;
    }

    void end() {
      if (!last.isEmpty()) {
        desk.waits("");
      }
    }

    void at(long nowNanos, RecoveryRound begun) {
      if (nowNanos - nextNanos < 0) {
        return;
      }
      nextNanos = nowNanos + TELL_NANOS;
      String why = obstacle(self, begun);
      desk.waits(why);
      if (!why.equals(last) || nowNanos - againNanos >= 0) {
        LOG.warn("{}", why);
        last = why;
        againNanos = nowNanos + TELL_AGAIN_NANOS;
      }
    }
  }

  private final class Network implements RecoveryRound.Host {
    @Override
    public void send(NodeId to, RoundMessage message) {
      byte[] body = RoundCodec.encode(message);
      transport.send(
          to, ByteBuffer.allocate(1 + body.length).put(HostMessages.MARK).put(body).flip());
    }

    @Override
    public void promise(long topology) {
      promise.accept(topology);
    }

    @Override
    public void lose(Losses losses) {
      desk.lose(losses);
    }
  }
}
