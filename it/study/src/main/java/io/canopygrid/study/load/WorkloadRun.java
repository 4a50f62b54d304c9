package io.canopygrid.study.load;

import io.canopygrid.study.grid.GridTraffic;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.tree.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Runs a workload with threads of this JVM for some time, and counts. */
public final class WorkloadRun {
  private static final long MICROS_MAX = 60_000_000;

  private final StudyMember member;
  private final int threads;

  /** Creates the measurement at a node, with so many clients at once. */
  public WorkloadRun(StudyMember member, int threads) {
    this.member = member;
    this.threads = threads;
  }

  /**
   * Runs.
   *
   * @param seed of what the clients choose
   * @throws ExecutionException if a client fails; the other ones end too
   */
  public Row run(
      Variant variant,
      StudyWorkload workload,
      StudySubject subject,
      Records records,
      double seconds,
      long seed)
      throws InterruptedException, ExecutionException {
    long aborts = subject.aborts();
    GridTraffic before = member.traffic();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    Histogram all = new Histogram(MICROS_MAX, 3);
    ExecutorService clients = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Histogram>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ClientOperations client = new ClientOperations(workload, records, seed * 1_000 + i);
        running.add(clients.submit(() -> runUntil(end, client, subject)));
      }
      for (Future<Histogram> client : running) {
        all.add(client.get());
      }
    } finally {
      clients.shutdownNow();
    }
    double took = (System.nanoTime() - start) / 1e9;
    GridTraffic traffic = member.traffic().since(before);
    return new Row(
        variant,
        workload,
        member.node().topology().members().size(),
        all.getTotalCount(),
        took,
        traffic.remoteRequests(),
        traffic.messages(),
        traffic.replication(),
        subject.aborts() - aborts,
        all.getValueAtPercentile(50),
        all.getValueAtPercentile(99),
        0);
  }

  private static Histogram runUntil(long end, ClientOperations client, StudySubject subject) {
    Histogram micros = new Histogram(MICROS_MAX, 3);
    long begin = System.nanoTime();
    do {
      subject.run(client.next());
      long now = System.nanoTime();
      micros.recordValue(Math.min((now - begin) / 1_000, MICROS_MAX));
      begin = now;
    } while (begin - end < 0);
    return micros;
  }
}
