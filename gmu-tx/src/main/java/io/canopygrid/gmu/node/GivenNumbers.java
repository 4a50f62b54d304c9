package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.Effect;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * The numbers that a node knows to be given beside those that its protocol knows, and its open
 * questions for others (protocol.md, Clocks from outside). Thread-safe.
 */
final class GivenNumbers {
  private final AtomicLong requests = new AtomicLong();
  private final Map<Long, Question> open = new ConcurrentHashMap<>();

  /** By shard the highest one; each end of a transaction comes here, so nothing is locked. */
  private final AtomicLongArray known;

  /**
   * No number is known at first.
   *
   * @param top the last shard
   */
  GivenNumbers(int top) {
    known = new AtomicLongArray(top + 1);
  }

  /** Whether all numbers of a clock, from wherever it comes, are known to be given. */
  boolean knows(VectorClock clock) {
    for (int i = 0; i < clock.size(); i++) {
      int shard = clock.shardAt(i);
      if (shard >= known.length() || known.get(shard) < clock.numberAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The join of all clocks that are known to be true. */
  VectorClock known() {
    int[] shards =
        IntStream.range(0, known.length()).filter(shard -> known.get(shard) > 0).toArray();
    return VectorClock.of(shards, IntStream.of(shards).mapToLong(known::get).toArray());
  }

  /** A clock is true: a transaction of this node has it, or its shards have said so. */
  void learn(VectorClock clock) {
    for (int i = 0; i < clock.size(); i++) {
      int shard = clock.shardAt(i);
      long number = clock.numberAt(i);
      long before = known.get(shard);
      while (before < number && !known.compareAndSet(shard, before, number)) {
        before = known.get(shard);
      }
    }
  }

  /** A question that one thread waits for; to be closed. */
  final class Question implements AutoCloseable {
    final long request = requests.incrementAndGet();
    final VectorClock asked;

    /** True: all numbers are given; false: one of them is not. */
    final Waiter<Boolean> answer = new Waiter<>();

    private VectorClock told = VectorClock.ZERO;

    private Question(VectorClock asked) {
      this.asked = asked;
    }

    private synchronized void hear(Effect.Numbers numbers) {
      told = told.join(numbers.given());
      if (asked.precedesOrEquals(told)) {
        answer.complete(true);
        return;
      }
      for (int i = 0; i < asked.size(); i++) {
        int shard = asked.shardAt(i);
        if (numbers.last().contains(shard) && asked.numberAt(i) > numbers.given().get(shard)) {
          answer.complete(false);
        }
      }
    }

    @Override
    public void close() {
      open.remove(request);
    }
  }

  /** Opens a question for the numbers of a clock. */
  Question open(VectorClock asked) {
    Question question = new Question(asked);
    open.put(question.request, question);
    return question;
  }

  void complete(Effect.Numbers numbers) {
    Question question = open.get(numbers.request());
    if (question != null) {
      question.hear(numbers);
    }
  }

  /** No more answers will come. */
  void abandon() {
    open.values().forEach(question -> question.answer.abandon());
  }
}
