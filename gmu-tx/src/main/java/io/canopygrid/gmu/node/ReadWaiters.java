package io.canopygrid.gmu.node;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.read.LocalRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The reads of a node that callers wait for. Thread-safe. */
final class ReadWaiters {
  private final AtomicLong requests = new AtomicLong();
  private final ConcurrentHashMap<Long, Waiter<Effect.Answer>> open = new ConcurrentHashMap<>();

  /** Says what takes the place of answers that have not come; null: nothing. */
  interface Unanswered {
    @Nullable List<LocalRead> instead();
  }

  /** Reads that one thread at a time waits for, until it closes this. */
  final class Batch implements TransactionSteps.Asked {
    private final long first;
    private final List<Waiter<Effect.Answer>> waiters;
    private final Unanswered unanswered;

    private Batch(int size, Unanswered unanswered) {
      this.unanswered = unanswered;
      first = requests.getAndAdd(size) + 1;
      waiters = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        Waiter<Effect.Answer> waiter = new Waiter<>();
        waiters.add(waiter);
        Invariant.holds(open.put(first + i, waiter) == null, "read %s twice", first + i);
      }
    }

    /** The number of the first read; the others have the following ones. */
    long first() {
      return first;
    }

    boolean isDone() {
      return waiters.stream().allMatch(Waiter::isDone);
    }

    /** No answer will come. */
    void abandon() {
      waiters.forEach(Waiter::abandon);
    }

    @Override
    public @Nullable List<LocalRead> await(long deadlineNanos) throws InterruptedException {
      List<LocalRead> answers = new ArrayList<>(waiters.size());
      for (Waiter<Effect.Answer> waiter : waiters) {
        Effect.Answer answer = waiter.await(deadlineNanos);
        if (answer == null) {
          return unanswered.instead();
        }
        answers.add(new LocalRead(answer.shard(), answer.clock(), answer.answer()));
      }
      return answers;
    }

    @Override
    public void close() {
      for (int i = 0; i < waiters.size(); i++) {
        open.remove(first + i);
      }
    }
  }

  Batch open(int reads, Unanswered unanswered) {
    return new Batch(reads, unanswered);
  }

  void complete(Effect.Answer answer) {
    Waiter<Effect.Answer> waiter = open.get(answer.request());
    if (waiter != null) {
      waiter.complete(answer);
    }
  }

  /** No more answers will come. */
  void abandon() {
    open.values().forEach(Waiter::abandon);
  }
}
