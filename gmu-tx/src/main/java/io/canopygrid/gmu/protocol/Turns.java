package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.protocol.ReadWaits.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to read a key that many want to change, at one shard's primary (protocol.md,
 * Turns): per key one read that has its turn, and those that wait behind it, first come first
 * served. This only decides when a read is answered. It is no lock: what is read, validated and
 * written is the same with it and without it, so it may be forgotten at any time.
 */
final class Turns {
  /** Most reads that wait at one shard; one more is answered at once, as if it had not asked. */
  static final int WAITING_MAX = 10_000;

  private final int shard;
  private final NodeState node;
  private final Predicate<CompositeKey> isLocked;
  private final Consumer<Waiting> answers;
  private final Map<CompositeKey, Queue> byKey = new HashMap<>();
  private int waiting;

  /** Whose read it is: numbers of reads are unique at their node. */
  private record Asker(NodeId node, long request) {
    static Asker of(Waiting read) {
      return new Asker(read.source(), read.read().request());
    }
  }

  /** One key's; there is a holder, or somebody waits. */
  private static final class Queue {
    /** Whose turn it is; null: the next one's, when the key's lock is free. */
    private @Nullable Asker holder;

    /** When this turn began. */
    private long sinceNanos;

    /** Whether a timer is set: for the end of this turn, or of an earlier one. */
    private boolean timerSet;

    private final Map<Asker, Waiting> behind = new LinkedHashMap<>(2);
  }

  /**
   * Turns at a shard.
   *
   * @param isLocked whether a commit that will write the key is under way
   * @param answers gets the reads that have waited, when they need not wait any more
   */
  Turns(int shard, NodeState node, Predicate<CompositeKey> isLocked, Consumer<Waiting> answers) {
    this.shard = shard;
    this.node = node;
    this.isLocked = isLocked;
    this.answers = answers;
  }

  /** Whether a read that takes turns may be answered now; else it waits. */
  boolean take(CompositeKey key, Waiting read) {
    Asker asker = Asker.of(read);
    Queue queue = byKey.get(key);
    if (queue != null && (asker.equals(queue.holder) || queue.behind.containsKey(asker))) {
      // The same read was asked again.
      return asker.equals(queue.holder);
    }
    boolean free = queue == null || (queue.behind.isEmpty() && isOver(queue));
    if (free && !isLocked.test(key)) {
      begin(queue == null ? newQueue(key) : queue, asker);
      return true;
    }
    if (waiting >= WAITING_MAX) {
      return true;
    }
    queue = queue == null ? newQueue(key) : queue;
    queue.behind.put(asker, read);
    waiting++;
    if (queue.behind.size() == 1) {
      wakeAtEnd(key, queue);
    }
    return false;
  }

  private Queue newQueue(CompositeKey key) {
    Queue queue = new Queue();
    queue.sinceNanos = node.outbox().nowNanos();
    byKey.put(key, queue);
    node.hotKeys().add(key);
    return queue;
  }

  private void forget(CompositeKey key) {
    byKey.remove(key);
    node.hotKeys().remove(key);
  }

  private void begin(Queue queue, @Nullable Asker holder) {
    queue.holder = holder;
    queue.sinceNanos = node.outbox().nowNanos();
  }

  private boolean isOver(Queue queue) {
    return node.outbox().nowNanos() - queue.sinceNanos >= node.config().lockTimeoutNanos();
  }

  /** A turn that others wait for has its bound; one timer for many that are short. */
  private void wakeAtEnd(CompositeKey key, Queue queue) {
    if (queue.timerSet) {
      return;
    }
    queue.timerSet = true;
    long end = queue.sinceNanos + node.config().lockTimeoutNanos();
    long wakeAt = Math.max(end, node.outbox().nowNanos());
    node.outbox().emit(new Effect.WakeAt(wakeAt, new Effect.TurnTimer(shard, key)));
  }

  /** Whether a read waits for its turn at a key. */
  boolean isAwaited(CompositeKey key) {
    Queue queue = byKey.get(key);
    return queue != null && !queue.behind.isEmpty();
  }

  /** Whether a read was answered in its turn, which is not over. */
  boolean isHolder(CompositeKey key, Waiting read) {
    Queue queue = byKey.get(key);
    return queue != null && Asker.of(read).equals(queue.holder);
  }

  /**
   * A commit is applied, or undone, and its locks are free. A turn at what it has written is over,
   * whoever's it is: what was read in it is no longer the newest version.
   */
  void onUnlocked(CompositeKey key, boolean written) {
    Queue queue = byKey.get(key);
    if (queue != null && (written || (queue.holder == null && !isLocked.test(key)))) {
      next(key, queue, false);
    }
  }

  /**
   * A transaction has ended without writing the key, or does without its turn. Perhaps nobody
   * writes it any more: who waits only because others did need not.
   */
  void onEnded(CompositeKey key, NodeId source, long request) {
    Queue queue = byKey.get(key);
    Asker asker = new Asker(source, request);
    if (queue == null) {
      return;
    }
    if (asker.equals(queue.holder)) {
      letGo(queue);
      next(key, queue, false);
    } else if (queue.behind.remove(asker) != null) {
      waiting--;
      if (queue.holder == null && queue.behind.isEmpty()) {
        forget(key);
      }
    }
  }

  private void letGo(Queue queue) {
    List<Waiting> free = queue.behind.values().stream().filter(Turns::isBehindOthers).toList();
    queue.behind.values().removeIf(Turns::isBehindOthers);
    waiting -= free.size();
    free.forEach(answers);
  }

  private static boolean isBehindOthers(Waiting read) {
    return ((ReadQuery.Get) read.read().query()).turn() == ReadQuery.Turn.BEHIND_OTHERS;
  }

  /** This turn, or one before it, was to end by now at the latest. */
  void onTimer(CompositeKey key) {
    Queue queue = byKey.get(key);
    if (queue == null) {
      return;
    }
    queue.timerSet = false;
    if (isOver(queue)) {
      endOverdue(key, queue);
    } else if (!queue.behind.isEmpty()) {
      wakeAtEnd(key, queue);
    }
  }

  /** Ends a turn at its bound (protocol.md, Turns). */
  private void endOverdue(CompositeKey key, Queue queue) {
    next(key, queue, queue.holder == null);
  }

  /**
   * The next one's turn.
   *
   * @param anyway also where the key is locked
   */
  private void next(CompositeKey key, Queue queue, boolean anyway) {
    if (queue.behind.isEmpty()) {
      forget(key);
      return;
    }
    Waiting read = null;
    if (!anyway && isLocked.test(key)) {
      begin(queue, null);
    } else {
      read = queue.behind.values().iterator().next();
      Asker asker = Asker.of(read);
      queue.behind.remove(asker);
      waiting--;
      begin(queue, asker);
    }
    Invariant.holds(waiting >= 0, "fewer than none wait: shard %s", shard);
    if (!queue.behind.isEmpty()) {
      wakeAtEnd(key, queue);
    }
    if (read != null) {
      answers.accept(read);
    }
  }

  /** Forgets turns that nobody waits for, and whose end was not told. */
  void prune() {
    List<CompositeKey> over = new ArrayList<>();
    byKey.forEach((key, queue) -> {
      if (queue.behind.isEmpty() && isOver(queue)) {
        over.add(key);
      }
    });
    over.forEach(this::forget);
  }

  /** Forgets all; who waits asks again in the topology that is being installed. */
  void clear() {
    List.copyOf(byKey.keySet()).forEach(this::forget);
    waiting = 0;
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  /** Turns that somebody has, and reads that wait for theirs. */
  int size() {
    return byKey.size() + waiting;
  }
}
