package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import io.canopygrid.gmu.spi.GridLevel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the members of a grid whether this node fits before it joins. Every node that has begun to
 * join answers, whether it is a member or not, so that a slow member is not taken for none: this
 * node waits until a member has answered, or until all others have said that they are none. The
 * question is asked again and again, as a node that has just started does not hear it. Thread-safe.
 */
final class JoinHandshake {
  private static final Logger LOG = LoggerFactory.getLogger(JoinHandshake.class);

  private static final long ASK_AGAIN_MILLIS = 50;

  private final GridSettings settings;
  private final ByteTransport transport;
  private final @Nullable NodeDisk disk;
  private final GridLevel level;

  // Guarded by this object.
  /** The answer of the first member that answers. */
  private @Nullable HandshakeMessage member;

  /** The answers of nodes that are no members yet. */
  private final Map<NodeId, HandshakeMessage> joining = new HashMap<>();

  /**
   * For one node.
   *
   * @param disk null: it has its data in memory only
   * @param level learns the level of the grid from the member that answers
   */
  JoinHandshake(
      GridSettings settings, ByteTransport transport, @Nullable NodeDisk disk, GridLevel level) {
    this.settings = settings;
    this.transport = transport;
    this.disk = disk;
    this.level = level;
  }

  void send(NodeId to, Kind kind) {
    transport.send(
        to, ByteBuffer.wrap(HandshakeMessage.of(kind, level.joined(), settings, disk).encode()));
  }

  void askToLeave(NodeId to) {
    send(to, Kind.LEAVE_QUERY);
  }

  synchronized void answered(NodeId source, HandshakeMessage message) {
    if (message.kind() == Kind.JOINING) {
      joining.put(source, message);
    } else if (member == null || member.grid() == null) {
      if (member == null) {
        level.is(message.level(), message.level());
      }
      member = message;
    }
    notifyAll();
  }

  /** Whether a member of the grid has answered: there is a grid. */
  synchronized boolean isAnswered() {
    return member != null;
  }

  /** The grid by the word of a member; null: none has told it. */
  synchronized @Nullable UUID grid() {
    return member == null ? null : member.grid();
  }

  /** Asks these nodes once more. */
  void ask(Set<NodeId> others) {
    others.forEach(to -> send(to, Kind.JOIN_QUERY));
  }

  /**
   * The misfit by the word of the others; null: there is none, or no member has answered in time.
   *
   * @param others the nodes that are there now, without this one
   * @param patienceMillis after which Infinispan is left to find out what does not fit
   */
  @Nullable String misfit(Supplier<Set<NodeId>> others, long patienceMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    try {
      while (!isEnough(others.get())) {
        if (System.nanoTime() - deadline > 0) {
          LOG.debug("no member of grid '{}' has answered", settings.name());
          break;
        }
        ask(others.get());
        awaitAnswer(others);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while joining grid '" + settings.name() + "'");
    }
    return misfit();
  }

  /** Whether a member has answered, or none of these nodes is one. */
  private synchronized boolean isEnough(Set<NodeId> present) {
    joining.keySet().retainAll(present);
    return member != null || joining.keySet().containsAll(present);
  }

  private synchronized void awaitAnswer(Supplier<Set<NodeId>> others) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ASK_AGAIN_MILLIS);
    long left = ASK_AGAIN_MILLIS;
    while (left > 0 && !isEnough(others.get())) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  /** The misfit by the word of those who have answered so far; null: there is none. */
  synchronized @Nullable String misfit() {
    HandshakeMessage said = member;
    return said != null ? said.misfit(settings, disk) : misfitOfJoining();
  }

  /**
   * Of two releases that start at the same time, before there is a member, the older one yields. Of
   * nodes that keep their data in different places none can yield to the others.
   */
  private @Nullable String misfitOfJoining() {
    for (HandshakeMessage other : joining.values()) {
      if (other.isOfLaterRelease() || other.isStoredElsewhere(disk)) {
        return other.misfit(settings, disk);
      }
    }
    return null;
  }
}
