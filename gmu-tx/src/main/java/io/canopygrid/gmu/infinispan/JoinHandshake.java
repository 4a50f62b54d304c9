package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the members of a grid whether this node fits before it joins. Thread-safe. */
final class JoinHandshake {
  private static final Logger LOG = LoggerFactory.getLogger(JoinHandshake.class);

  /** After so long without an answer Infinispan finds out what does not fit. */
  private static final long ANSWER_MILLIS_MAX = 1_000;

  private final GridSettings settings;
  private final ByteTransport transport;

  /** The answer of the first member that answers. */
  private final CompletableFuture<HandshakeMessage> answer = new CompletableFuture<>();

  JoinHandshake(GridSettings settings, ByteTransport transport) {
    this.settings = settings;
    this.transport = transport;
  }

  void send(NodeId to, Kind kind) {
    transport.send(to, ByteBuffer.wrap(HandshakeMessage.of(kind, settings).encode()));
  }

  void askToLeave(NodeId to) {
    send(to, Kind.LEAVE_QUERY);
  }

  void answered(HandshakeMessage message) {
    answer.complete(message);
  }

  /** Whether a member of the grid has answered: there is a grid. */
  boolean isAnswered() {
    return answer.isDone();
  }

  /**
   * The misfit by the word of these members; null: there is none, or no member has answered in
   * time.
   */
  @Nullable String misfit(Set<NodeId> others) {
    if (others.isEmpty()) {
      return null;
    }
    others.forEach(to -> send(to, Kind.JOIN_QUERY));
    try {
      return answer.get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS).misfit(settings);
    } catch (TimeoutException e) {
      LOG.debug("no member of grid '{}' has answered", settings.name());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while joining grid '" + settings.name() + "'");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
