package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.Effect;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers that a node knows to be given beside those that its protocol knows, and its open
 * questions for others (protocol.md, Clocks from outside). Thread-safe.
 */
final class GivenNumbers {
  private final AtomicLong requests = new AtomicLong();
  private final Map<Long, Question> open = new ConcurrentHashMap<>();
  private volatile VectorClock known = VectorClock.ZERO;

  /** The join of all clocks that are known to be true. */
  VectorClock known() {
    return known;
  }

  /** A clock is true: a transaction of this node has it, or its shards have said so. */
  void learn(VectorClock clock) {
    if (!clock.precedesOrEquals(known)) {
      join(clock);
    }
  }

  private synchronized void join(VectorClock clock) {
    known = known.join(clock);
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
