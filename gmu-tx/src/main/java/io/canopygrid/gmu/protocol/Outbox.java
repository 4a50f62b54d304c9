package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one input's effects go. A message of a node to itself takes the same way as one to others,
 * but within the step: it is handled before the input's call returns, first in first out.
 */
final class Outbox {
  private final NodeId self;
  private final ArrayDeque<Envelope> local = new ArrayDeque<>();

  /** Messages of a newer topology than the installed one. */
  private List<Envelope> deferred = new ArrayList<>();

  private @Nullable List<Effect> effects;
  private long nowNanos;

  Outbox(NodeId self) {
    this.self = self;
  }

  /** A message and who sent it. */
  record Envelope(NodeId source, Message message) {}

  NodeId self() {
    return self;
  }

  /** Begins a step. */
  void begin(long now, List<Effect> into) {
    Invariant.holds(effects == null && local.isEmpty(), "a step within a step");
    nowNanos = now;
    effects = into;
  }

  void finish() {
    effects = null;
    local.clear();
  }

  long nowNanos() {
    return nowNanos;
  }

  void send(NodeId to, Message message) {
    if (to.equals(self)) {
      local.add(new Envelope(self, message));
    } else {
      emit(new Effect.Send(to, message));
    }
  }

  /** Keeps a message until the next topology is installed. */
  void defer(Envelope envelope) {
    deferred.add(envelope);
  }

  /** The number of messages that wait for a topology. */
  int deferred() {
    return deferred.size();
  }

  /** Hands the messages that had to wait back to this step. */
  void redeliverDeferred() {
    local.addAll(deferred);
    deferred = new ArrayList<>();
  }

  void emit(Effect effect) {
    Invariant.present(effects, "an effect outside of a step").add(effect);
  }

  @Nullable Envelope poll() {
    return local.poll();
  }
}
