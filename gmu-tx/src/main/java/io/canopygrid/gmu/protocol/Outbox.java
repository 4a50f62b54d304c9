package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one input's effects go. What a node says to itself takes the same way as what it says to
 * others, but within the step: it is handled before the input's call returns, first in first out.
 */
final class Outbox {
  private final NodeId self;
  private final ArrayDeque<Envelope> local = new ArrayDeque<>();
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

  /** Hands a message that had to wait back to this step. */
  void redeliver(Envelope envelope) {
    local.add(envelope);
  }

  void emit(Effect effect) {
    Invariant.present(effects, "an effect outside of a step").add(effect);
  }

  @Nullable Envelope poll() {
    return local.poll();
  }
}
