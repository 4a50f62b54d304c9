package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one input's effects go. A message of a node to itself takes the same way as one to others,
 * but within the step: it is handled before the input's call returns, first in first out.
 *
 * <p>On a node that stores what it has, the changes of a step get a position, and what the step
 * says waits until that position is stored (docs/internals/recovery.md, What is stored, and what
 * waits for it): messages that claim or promise something, to others and to this node itself,
 * answers to callers, and what readers see. It does not wait for a step whose changes a recovery
 * makes again, but for the last one before it that has others; and where it is known what something
 * rests on, for no later step.
 */
final class Outbox {
  private final NodeId self;
  private final StepChanges changes;
  private final ArrayDeque<Envelope> local = new ArrayDeque<>();

  /**
   * The things that wait until what they rest on is stored, in the order in which they were said.
   */
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** The part of that which this step has said; it gets its position at the step's end. */
  private List<Runnable> said = new ArrayList<>();

  /** The things that wait until they are forced, in the order in which they were said. */
  private final ArrayDeque<Waiting> forcing = new ArrayDeque<>();

  /** The part of that which this step has said. */
  private List<Runnable> toForce = new ArrayList<>();

  /** The things that wait until the disk tells them, in the order in which they were said. */
  private final ArrayDeque<Waiting> reading = new ArrayDeque<>();

  /** The part of that which this step has said. */
  private List<Runnable> toRead = new ArrayList<>();

  /** Messages of a newer topology than the installed one. */
  private List<Envelope> deferred = new ArrayList<>();

  private @Nullable List<Effect> effects;
  private long nowNanos;

  /** The position of the last step that changed what is stored. */
  private long position;

  /** The position of the last step whose changes a recovery would not make again. */
  private long reliedOn;

  /** The position of the step that has installed the present topology. */
  private long topologyAt;

  /** The position up to which all is stored. */
  private long stored;

  /** The number of the last question to the disk. */
  private long loads;

  Outbox(NodeId self, StepChanges changes) {
    this.self = self;
    this.changes = changes;
  }

  /** A message and who sent it. */
  record Envelope(NodeId source, Message message) {}

  private record Waiting(long position, Runnable what) {}

  NodeId self() {
    return self;
  }

  /** The collector of what the step changes of what is stored. */
  StepChanges changes() {
    return changes;
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
    if (changes.isKept() && waits(message)) {
      said.add(() -> sendNow(to, message));
    } else {
      sendNow(to, message);
    }
  }

  /**
   * Sends a message of which it is known what it rests on.
   *
   * @param restsOn the last position that must be stored; where it is, nothing is waited for
   */
  void send(NodeId to, Message message, long restsOn) {
    if (restsOn <= stored) {
      sendNow(to, message);
    } else {
      send(to, message);
    }
  }

  /** Sends at once: the message claims nothing, or nobody relies on its claim. */
  void sendNow(NodeId to, Message message) {
    if (to.equals(self)) {
      local.add(new Envelope(self, message));
    } else {
      emitNow(new Effect.Send(to, message));
    }
  }

  /**
   * Whether a message says what this node has, or promises something: then it waits until that is
   * stored. A report of the lowest clock in use claims that nothing below it is undone here: a disk
   * that still has such a decision must not tell it when others have pruned. A message that only
   * asks, or passes on a decision that its receivers store themselves, does not.
   */
  static boolean waits(Message message) {
    return message instanceof Message.Vote
        || message instanceof Message.Ack
        || message instanceof Message.Flush
        || message instanceof Message.FlushDone
        || message instanceof Message.State
        || message instanceof Message.ReadReply
        || message instanceof Message.HotPush
        || message instanceof Message.HorizonReport
        || message instanceof Message.NumbersTold;
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

  /** Asks the disk for values; returns the number with which it tells them. */
  long load(List<VersionId> versions) {
    loads++;
    emitNow(new Effect.Load(loads, versions));
    return loads;
  }

  /** Asks the disk for the versions of a closed copy. */
  Effect.Open open(int shard, long valueBytesMax) {
    loads++;
    Effect.Open open = new Effect.Open(loads, shard, valueBytesMax);
    emitNow(open);
    return open;
  }

  void emit(Effect effect) {
    if (changes.isKept() && mustBeStored(effect)) {
      said.add(() -> emitNow(effect));
    } else {
      emitNow(effect);
    }
  }

  /** As {@link #send(NodeId, Message, long)}. */
  void emit(Effect effect, long restsOn) {
    if (restsOn <= stored) {
      emitNow(effect);
    } else {
      emit(effect);
    }
  }

  /**
   * Whether an effect tells what this node has: a commit, a complete copy, a kcl that has grown.
   * The answer to a read has waited where it was given.
   */
  static boolean mustBeStored(Effect effect) {
    return (effect instanceof Effect.Ended ended && !(ended.outcome() instanceof Outcome.Aborted))
        || effect instanceof Effect.Synced
        || effect instanceof Effect.Grew;
  }

  private void emitNow(Effect effect) {
    Invariant.present(effects, "an effect outside of a step").add(effect);
  }

  @Nullable Envelope poll() {
    return local.poll();
  }

  // ---- what is stored

  /**
   * Does something once all is stored that this step and those before it have changed, but for what
   * a recovery makes again.
   */
  void whenStored(Runnable action) {
    if (changes.isKept()) {
      said.add(action);
    } else {
      action.run();
    }
  }

  /** The same, of something of which it is known what it rests on. */
  void whenStored(Runnable action, long restsOn) {
    if (restsOn <= stored) {
      action.run();
    } else {
      whenStored(action);
    }
  }

  /** The position of what this step changes. */
  long thisStep() {
    return position + 1;
  }

  /** This step installs a topology. */
  void installsTopology() {
    topologyAt = thisStep();
  }

  /** The position of the step that has installed the present topology. */
  long topologyAt() {
    return topologyAt;
  }

  /**
   * Does something once all that this step and those before it have changed is forced. To be asked
   * only where that is told ({@link StepChanges#isForcedLater}).
   */
  void whenForced(Runnable action) {
    toForce.add(action);
  }

  /** Does something once all that this step and those before it have put can be read. */
  void whenReadable(Runnable action) {
    toRead.add(action);
  }

  /**
   * Gives what the step has changed a position. True where something that was said need not wait,
   * and is said now: it can have brought messages of this node to itself.
   */
  boolean seal() {
    if (!changes.isKept()) {
      return false;
    }
    if (!changes.isEmpty()) {
      position++;
      boolean isReliedOn = changes.isReliedOn();
      reliedOn = isReliedOn ? position : reliedOn;
      emitNow(new Effect.Store(position, changes.take(), isReliedOn));
    }
    if (!said.isEmpty()) {
      said.forEach(what -> waiting.add(new Waiting(reliedOn, what)));
      said = new ArrayList<>();
    }
    if (!toForce.isEmpty()) {
      toForce.forEach(what -> forcing.add(new Waiting(position, what)));
      toForce = new ArrayList<>();
    }
    if (!toRead.isEmpty()) {
      toRead.forEach(what -> reading.add(new Waiting(position, what)));
      toRead = new ArrayList<>();
    }
    return release();
  }

  /** All up to a position is stored. */
  void onStored(long upTo) {
    Invariant.holds(upTo <= position, "stored and never changed: %s", upTo);
    stored = Math.max(stored, upTo);
    release();
  }

  /** All up to a position is forced. */
  void onForced(long upTo) {
    while (!forcing.isEmpty() && forcing.peek().position() <= upTo) {
      forcing.remove().what().run();
    }
  }

  /** All up to a position can be read. */
  void onReadable(long upTo) {
    while (!reading.isEmpty() && reading.peek().position() <= upTo) {
      reading.remove().what().run();
    }
  }

  private boolean release() {
    boolean any = false;
    while (!waiting.isEmpty() && waiting.peek().position() <= stored) {
      waiting.remove().what().run();
      any = true;
    }
    return any;
  }

  /** Whether nothing waits to be stored. */
  boolean isAllStored() {
    return stored == position && waiting.isEmpty();
  }
}
