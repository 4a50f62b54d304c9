package io.canopygrid.ycsb.demo;

import io.canopygrid.server.terminal.Progress;
import io.canopygrid.ycsb.demo.Bank.Audit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs transfers and audits of a bank at the same time, for a given time. Used once, by one thread.
 */
final class BankWorkload {
  private static final long LOOK_EVERY_MILLIS = 250;

  private final Bank bank;
  private final AtomicLong transfers = new AtomicLong();
  private final AtomicLong audits = new AtomicLong();
  private volatile boolean stop;

  BankWorkload(Bank bank) {
    this.bank = bank;
  }

  /**
   * Runs until the time is over or an audit is wrong.
   *
   * @param progress gets the seconds gone
   */
  Report run(int transferThreads, int auditThreads, Duration time, long seed, Progress progress)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(transferThreads + auditThreads);
    CountDownLatch wrong = new CountDownLatch(1);
    List<Future<?>> workers = new ArrayList<>();
    for (int t = 0; t < transferThreads + auditThreads; t++) {
      Random random = new Random(seed + t);
      boolean transferring = t < transferThreads;
      workers.add(
          threads.submit(() -> {
            try {
              work(transferring, random);
            } catch (RuntimeException | WrongSum e) {
              wrong.countDown();
              throw e;
            }
            return null;
          }));
    }
    long start = System.nanoTime();
    while (System.nanoTime() - start < time.toNanos()
        && !wrong.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      progress.reached(Math.round((System.nanoTime() - start) / 1e9));
    }
    stop = true;
    threads.shutdown();
    String problem = firstProblem(workers);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Report(transfers.get(), audits.get(), seconds, problem);
  }

  private void work(boolean transferring, Random random) throws WrongSum {
    do { // each worker is seen once, however short the time
      if (transferring) {
        bank.transfer(random);
        transfers.incrementAndGet();
      } else {
        Audit found = bank.audit();
        audits.incrementAndGet();
        if (!found.equals(bank.expected())) {
          throw new WrongSum("an audit found " + found + ", expected " + bank.expected());
        }
      }
    } while (!stop);
  }

  private static @Nullable String firstProblem(List<Future<?>> workers)
      throws InterruptedException {
    String problem = null;
    for (Future<?> worker : workers) {
      try {
        worker.get();
      } catch (ExecutionException e) {
        problem = problem == null ? String.valueOf(e.getCause()) : problem;
      }
    }
    return problem;
  }

  /**
   * The result of a run.
   *
   * @param transfers how many transfers committed
   * @param audits how many audits were made, a wrong one included
   * @param seconds how long the run took
   * @param problem the first problem; null: none
   */
  record Report(long transfers, long audits, double seconds, @Nullable String problem) {}

  /** The balances of a snapshot have a wrong sum. */
  private static final class WrongSum extends Exception {
    private static final long serialVersionUID = 1L;

    WrongSum(String message) {
      super(message);
    }
  }
}
