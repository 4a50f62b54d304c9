package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.ReadFrom;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.history.Op;
import io.canopygrid.soak.cluster.Recorder.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;

/** A client that runs random transactions and records each attempt. Confined to a thread. */
abstract class HistoryClient {
  /** The timeout of each transaction; the system property is set by a run that breaks things. */
  static final Duration TIMEOUT =
      Duration.ofMillis(Long.getLong("canopy.it.timeoutMillis", 60_000));

  private static final TransactionOptions OPTIONS =
      TransactionOptions.DEFAULTS.withTimeout(TIMEOUT).withMaxAttempts(1_000);
  private static final TransactionOptions NEAREST = OPTIONS.withReadFrom(ReadFrom.NEAREST);

  /** Every so many transactions read at the copies of their node where they can. */
  private static final int NEAREST_ONE_IN = 3;

  private static final int PLANTED_ONE_IN = 10;
  private static final long PAUSE_MILLIS = 20;
  private static final Duration FINAL_LIMIT = Duration.ofMinutes(1);

  final Random random;
  private final Canopy db;
  private final Recorder.Client client;
  private final LongSupplier elements;
  private final ClientBug plant;

  HistoryClient(
      Canopy db, Recorder recorder, LongSupplier elements, Random random, ClientBug plant) {
    this.db = db;
    this.client = recorder.client();
    this.elements = elements;
    this.random = random;
    this.plant = plant;
  }

  /** Makes up the next transaction. */
  abstract Plan plan();

  /** Makes up reads of everything that was ever used. */
  abstract List<Plan> finalReads();

  /** Runs transactions until it is enough. */
  final void run(BooleanSupplier enough) throws InterruptedException {
    while (!enough.getAsBoolean()) {
      boolean near = random.nextInt(NEAREST_ONE_IN) == 0;
      if (!runOne(plan(), near ? NEAREST : OPTIONS)) {
        // The cause of a failure lasts longer than a transaction.
        Thread.sleep(PAUSE_MILLIS);
      }
      Rests.afterTransaction(random);
    }
  }

  /**
   * Runs the final reads; one that is refused, as its node is joining again, is tried again.
   *
   * @return how many could not be done
   */
  final int runFinal() throws InterruptedException {
    client.beginFinal();
    long deadline = System.nanoTime() + FINAL_LIMIT.toNanos();
    int undone = 0;
    for (Plan plan : finalReads()) {
      boolean done = runOne(plan, OPTIONS);
      while (!done && System.nanoTime() < deadline) {
        Thread.sleep(PAUSE_MILLIS);
        done = runOne(plan, OPTIONS);
      }
      undone += done ? 0 : 1;
    }
    return undone;
  }

  /** Runs one transaction. False: the transaction ended by an error that is no conflict. */
  private boolean runOne(Plan plan, TransactionOptions options) {
    boolean wrong = plan.readsFirst() && random.nextInt(PLANTED_ONE_IN) == 0;
    try {
      if (!plan.updates()) {
        Attempt attempt = client.invoke(plan.ops(elements));
        db.read(options, tx -> plan.readAll(tx, attempt));
      } else if (wrong && plant == ClientBug.TWO_TRANSACTIONS) {
        Attempt attempt = client.invoke(plan.ops(elements));
        db.read(options, tx -> plan.readAll(tx, attempt));
        db.run(options, tx -> plan.writeAll(tx, attempt));
      } else if (wrong && plant == ClientBug.LOSE_APPEND) {
        Attempt attempt = client.invoke(plan.ops(elements));
        db.read(options, tx -> plan.readAll(tx, attempt));
      } else if (random.nextInt(10) == 0) {
        runExplicitly(plan, options);
      } else {
        db.run(options, tx -> plan.execute(tx, client.invoke(plan.ops(elements))));
      }
      if (wrong && plant == ClientBug.DENY_COMMIT) {
        client.denyCommit();
      } else {
        client.committed();
      }
      return true;
    } catch (RuntimeException e) {
      return client.failed(e);
    }
  }

  /** Without the handle's retries. */
  private void runExplicitly(Plan plan, TransactionOptions options) {
    Attempt attempt = client.invoke(plan.ops(elements));
    try (Transaction tx = db.begin(options)) {
      plan.execute(tx, attempt);
      tx.commit();
    }
  }

  /** A transaction made up: steps in their order. */
  static final class Plan {
    private final List<Step> steps = new ArrayList<>();

    Plan add(Step step) {
      steps.add(step);
      return this;
    }

    boolean updates() {
      return steps.stream().anyMatch(Step::writes);
    }

    /** Whether it writes, and reads nothing that it has written. */
    boolean readsFirst() {
      boolean written = false;
      for (Step step : steps) {
        if (written && !step.writes()) {
          return false;
        }
        written |= step.writes();
      }
      return written;
    }

    /** Lets writes happen among reads, so that these see them. */
    void shuffle(Random random) {
      Collections.shuffle(steps, random);
    }

    /** The operations of the step, the elements to write all new. */
    private List<Op> ops(LongSupplier elements) {
      List<Op> ops = new ArrayList<>();
      steps.forEach(step -> ops.addAll(step.ops(elements)));
      return ops;
    }

    private boolean readAll(ReadTransaction tx, Attempt attempt) {
      each((step, at) -> {
        if (!step.writes()) {
          step.read(tx, attempt, at);
        }
      });
      return true;
    }

    private void writeAll(Transaction tx, Attempt attempt) {
      each((step, at) -> {
        if (step.writes()) {
          step.write(tx, attempt, at);
        }
      });
    }

    private void execute(Transaction tx, Attempt attempt) {
      each((step, at) -> {
        if (step.writes()) {
          step.write(tx, attempt, at);
        } else {
          step.read(tx, attempt, at);
        }
      });
    }

    private void each(ObjIntConsumer<Step> action) {
      int at = 0;
      for (Step step : steps) {
        action.accept(step, at);
        at += step.size();
      }
    }
  }

  /** Some operations that are executed together; reads or writes, not both. */
  interface Step {
    /** The number of operations. */
    int size();

    boolean writes();

    List<Op> ops(LongSupplier elements);

    /** Reads, and fills in the operations of the attempt from a place on. */
    default void read(ReadTransaction tx, Attempt attempt, int at) {
      throw new IllegalStateException("no read: " + this);
    }

    /** Writes what the operations of the attempt say from a place on. */
    default void write(Transaction tx, Attempt attempt, int at) {
      throw new IllegalStateException("no write: " + this);
    }
  }
}
