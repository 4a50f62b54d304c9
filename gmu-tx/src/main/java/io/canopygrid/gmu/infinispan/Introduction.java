package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.Greeting.Kind;
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
final class Introduction {
  private static final Logger LOG = LoggerFactory.getLogger(Introduction.class);

  /** How long a member may take to answer; after that Infinispan finds out what does not fit. */
  private static final long GREETING_MILLIS = 1_000;

  private final GridSettings settings;
  private final StateFlow.Wire wire;

  /** What the first member to answer says of the grid. */
  private final CompletableFuture<Greeting> answer = new CompletableFuture<>();

  Introduction(GridSettings settings, StateFlow.Wire wire) {
    this.settings = settings;
    this.wire = wire;
  }

  void greet(NodeId to, Kind kind) {
    wire.send(to, ByteBuffer.wrap(Greeting.of(kind, settings).encode()));
  }

  void askToGo(NodeId to) {
    greet(to, Kind.MAY_I_GO);
  }

  void answered(Greeting greeting) {
    answer.complete(greeting);
  }

  /** What these members say does not fit; null: nothing, or nobody has answered in time. */
  @Nullable String misfit(Set<NodeId> others) {
    if (others.isEmpty()) {
      return null;
    }
    others.forEach(to -> greet(to, Kind.MAY_I_JOIN));
    try {
      return answer.get(GREETING_MILLIS, TimeUnit.MILLISECONDS).misfit(settings);
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
