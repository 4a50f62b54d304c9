package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.ycsb.CanopyDB;
import io.canopygrid.ycsb.Workloads;
import io.canopygrid.ycsb.bench.BenchResult.Traffic;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Loads records, checks the database, warms up and measures YCSB workloads, all from this JVM. Used
 * once, by one thread.
 */
public final class Bench {
  private static final int LOAD_THREADS = 16;

  /** A measurement by time ends at this multiple of it even if it is slower than the warm-up. */
  private static final double OVERTIME = 1.5;

  private final Canopy canopy;
  private final BenchSettings settings;
  private final DoubleSupplier cpuSeconds;
  private final Narrator narrator;

  /**
   * Prepares.
   *
   * @param canopy a member of the cluster
   * @param cpuSeconds CPU time so far of the processes of all nodes
   */
  public Bench(
      Canopy canopy, BenchSettings settings, DoubleSupplier cpuSeconds, Narrator narrator) {
    this.canopy = canopy;
    this.settings = settings;
    this.cpuSeconds = cpuSeconds;
    this.narrator = narrator;
  }

  /**
   * Loads, checks, warms up and measures.
   *
   * @param results gets each result as soon as there is one
   * @param seed the seed of the checks
   * @return how many operations, in measurements and warm-ups, did not end OK
   * @throws BenchFailure if the benchmark cannot go on, or data is wrong
   */
  public long run(Consumer<BenchResult> results, long seed) throws BenchFailure {
    Phase load = load();
    CanopyDB db = load.connect();
    try {
      DatabaseChecks checks = new DatabaseChecks(canopy, db, load.workload(), settings.records());
      narrator.say("Checking scans, visibility and lost updates (seed " + seed + ")");
      checks.run(seed);
      long errors = measureAll(results);
      checks.requireComplete();
      return errors;
    } finally {
      db.cleanup();
    }
  }

  private Phase phase(Properties workload, long operations) throws BenchFailure {
    workload.setProperty(CanopyDB.READ_FROM, settings.readFromProperty());
    return new Phase(canopy, workload, settings.records(), operations);
  }

  private Phase load() throws BenchFailure {
    Properties deterministic = new Properties();
    deterministic.setProperty("dataintegrity", "true");
    Phase load = phase(deterministic, 0);
    try (Progress progress = narrator.progress("loading", "records", settings.records())) {
      load.load(LOAD_THREADS, settings.records(), progress);
    }
    long errors = load.summary().errors();
    if (load.operationsDone() != settings.records() || errors > 0) {
      throw new BenchFailure(
          "loaded " + load.operationsDone() + " of " + settings.records() + " records");
    }
    narrator.say(String.format(Locale.ROOT, "Loaded in %.1f s", load.seconds()));
    return load;
  }

  private long measureAll(Consumer<BenchResult> results) throws BenchFailure {
    long errors = 0;
    // All workloads warm up first, so that the order of measurements matters little.
    for (String workload :
        settings.measurements().stream().map(WorkloadSpec::workload).distinct().toList()) {
      errors += warmUp(new WorkloadSpec(workload, settings.threads())).summary().errors();
    }
    for (WorkloadSpec spec : settings.measurements()) {
      Phase warmUp = warmUp(spec);
      BenchResult result = measure(spec, warmUp);
      errors += warmUp.summary().errors() + result.errors();
      results.accept(result);
    }
    return errors;
  }

  private Phase warmUp(WorkloadSpec spec) throws BenchFailure {
    Phase phase = phase(Workloads.load(spec.workload()), 0);
    double seconds = settings.warmupSeconds();
    try (Progress progress = progress("warming up", spec, "s", (long) Math.ceil(seconds))) {
      phase.run(spec.threads(), 0, seconds, progress);
    }
    finish(phase);
    return phase;
  }

  private BenchResult measure(WorkloadSpec spec, Phase warmUp) throws BenchFailure {
    long operations = settings.operations();
    double limitSeconds = 0;
    if (operations == 0) {
      double speed = warmUp.operationsDone() / warmUp.seconds();
      operations = Math.max(spec.threads(), (long) (speed * settings.seconds()));
      limitSeconds = OVERTIME * settings.seconds();
    }
    Phase phase = phase(Workloads.load(spec.workload()), operations);
    TransactionStats before = canopy.stats().total();
    double cpuBefore = cpuSeconds.getAsDouble();
    try (Progress progress = progress("measuring", spec, "operations", operations)) {
      phase.run(spec.threads(), operations, limitSeconds, progress);
    }
    double cpu = cpuSeconds.getAsDouble() - cpuBefore;
    BenchResult result = result(spec, phase, cpu, before, canopy.stats().total());
    finish(phase);
    return result;
  }

  private BenchResult result(
      WorkloadSpec spec, Phase phase, double cpu, TransactionStats before, TransactionStats after)
      throws BenchFailure {
    Summary summary = phase.summary();
    long commits = after.commits() - before.commits();
    long aborts = after.abortsOfAllCodes() - before.abortsOfAllCodes();
    long attempts = after.attempts() - before.attempts();
    long requests = after.remoteRequests() - before.remoteRequests();
    return new BenchResult(
        spec.workload(),
        spec.threads(),
        settings.records(),
        phase.operationsDone(),
        phase.seconds(),
        cpu,
        summary.latencies(),
        summary.errors(),
        // Each transaction ends in a commit or, out of attempts, in an error.
        Math.max(0, attempts - commits - summary.errors()),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        new Traffic(
            commits == 0 ? 0 : (double) requests / commits,
            aborts,
            after.redirects() - before.redirects()));
  }

  /** Reports the failures of a phase, and deletes the records that it has inserted. */
  private void finish(Phase phase) throws BenchFailure {
    phase
        .summary()
        .failures()
        .forEach((what, count) -> narrator.say("  " + count + " operations ended in " + what));
    phase.deleteFrom(settings.records());
  }

  private Progress progress(String doing, WorkloadSpec spec, String unit, long total) {
    String task = doing + " " + spec.workload() + "/" + spec.threads();
    return narrator.progress(task, unit, total);
  }
}
