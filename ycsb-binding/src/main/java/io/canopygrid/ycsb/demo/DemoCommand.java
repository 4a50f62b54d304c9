package io.canopygrid.ycsb.demo;

import io.canopygrid.Balancing;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.ycsb.bench.Bench;
import io.canopygrid.ycsb.bench.BenchFailure;
import io.canopygrid.ycsb.bench.BenchResult;
import io.canopygrid.ycsb.bench.BenchSettings;
import io.canopygrid.ycsb.bench.ResultTable;
import io.canopygrid.ycsb.cluster.ClusterData;
import io.canopygrid.ycsb.cluster.Heap;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy demo}: a bank and YCSB on three nodes of this machine. */
@Command(
    name = "demo",
    description = {
      "Show in about a minute what Canopy guarantees, on three nodes of this machine.",
      "A bank on a B+tree: transfers on several threads, and at the same time sums over all"
          + " accounts in one snapshot, each of which must be exact. Then all nodes are killed at"
          + " once and started again from their disks, and every account must have its balance."
          + " Then YCSB's workloads A to F in short."
    },
    footer = {"", "Exit code 1 if any sum, check or operation was wrong."})
final class DemoCommand implements Callable<Integer> {
  private static final int NODES = 3;
  private static final int ACCOUNTS = 5_000;
  private static final int TRANSFER_THREADS = 4;
  private static final int AUDIT_THREADS = 2;
  private static final int YCSB_THREADS = 4;
  private static final long YCSB_RECORDS = 5_000;
  private static final double YCSB_WARMUP_SECONDS = 1;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of the bank's part (${DEFAULT-VALUE}).")
  private int seconds = 8;

  @Option(
      names = "--ycsb-seconds",
      paramLabel = "S",
      description = "Length of the measurement of each workload (${DEFAULT-VALUE}).")
  private double ycsbSeconds = 2;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of each server, as in 1g or 512m (${DEFAULT-VALUE}).")
  private String heap = "512m";

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of the transfers, to do the same ones again (random).")
  private long seed = RandomGenerator.getDefault().nextInt(1_000_000);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    BenchSettings ycsb = settings();
    PrintWriter out = spec.commandLine().getOut();
    PrintStream standardOutput = System.out;
    System.setOut(System.err); // YCSB prints there, and its lines are no results
    try {
      return run(ycsb, out, Narrator.onStandardError());
    } finally {
      System.setOut(standardOutput);
    }
  }

  private BenchSettings settings() {
    try {
      Heap.require(heap);
      if (seconds < 1 || seconds > 3_600) {
        throw new IllegalArgumentException("seconds must be from 1 to 3600: seconds=" + seconds);
      }
      return BenchSettings.ofAll(YCSB_THREADS, YCSB_RECORDS, ycsbSeconds, YCSB_WARMUP_SECONDS);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int run(BenchSettings ycsb, PrintWriter out, Narrator narrator)
      throws IOException, InterruptedException {
    narrator.say(
        "1. Starting "
            + NODES
            + " nodes on this machine, with their data on disk: two server JVMs, and this one as"
            + " the third");
    try (LocalCluster cluster =
        LocalCluster.start(NODES, heap, Balancing.DEFAULTS, ClusterData.DISK, narrator)) {
      Verdict verdict = new Verdict(out);
      Bank bank = bank(cluster, verdict, narrator);
      killed(bank, cluster, verdict, narrator);
      ycsb(cluster, ycsb, verdict, narrator);
      cluster.deadServers().forEach(name -> verdict.wrong(name + " ended by itself"));
      narrator.say("5. Stopping the nodes");
      return verdict.print();
    }
  }

  private Bank bank(LocalCluster cluster, Verdict verdict, Narrator narrator)
      throws InterruptedException {
    Bank bank = new Bank(cluster.canopy(), ACCOUNTS);
    narrator.say("2. A bank: opening " + ACCOUNTS + " accounts on a B+tree over all nodes");
    try (Progress progress = narrator.progress("opening", "accounts", ACCOUNTS)) {
      for (int open = 0; open < ACCOUNTS; ) {
        open = bank.open(open);
        progress.reached(open);
      }
    }
    narrator.say(
        String.format(
            Locale.ROOT,
            "   %d threads transfer money between random accounts (seed %d) while %d threads sum up"
                + " all accounts; every sum must be %d",
            TRANSFER_THREADS,
            seed,
            AUDIT_THREADS,
            bank.expected().sum()));
    BankWorkload.Report report;
    try (Progress progress = narrator.progress("transferring", "s", seconds)) {
      Duration time = Duration.ofSeconds(seconds);
      report = new BankWorkload(bank).run(TRANSFER_THREADS, AUDIT_THREADS, time, seed, progress);
    }
    verdict.bank(report);
    if (!bank.audit().equals(bank.expected())) {
      verdict.wrong("the bank's last sum is " + bank.audit() + ", not " + bank.expected());
    }
    return bank;
  }

  private static void killed(Bank bank, LocalCluster cluster, Verdict verdict, Narrator narrator)
      throws IOException, InterruptedException {
    List<Long> before = bank.balances();
    narrator.say(
        "3. Killing all nodes at once, without a word to each other: the servers with kill -9, and"
            + " the node of this JVM by leaving it");
    cluster.killAll();
    narrator.say("   Starting them again: each reads its disk, and waits for the others");
    long start = System.nanoTime();
    cluster.startAgain();
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Long> after = new Bank(cluster.canopy(), ACCOUNTS).balances();
    verdict.killed(before, after, seconds);
  }

  private static void ycsb(
      LocalCluster cluster, BenchSettings settings, Verdict verdict, Narrator narrator) {
    narrator.say("4. YCSB: workloads A to F, each in short");
    List<BenchResult> results = new ArrayList<>();
    try {
      Bench bench = new Bench(cluster.canopy(), settings, cluster::cpuSeconds, narrator);
      long errors = bench.run(results::add, 1);
      if (errors > 0) {
        verdict.wrong(errors + " YCSB operations did not end OK");
      }
    } catch (BenchFailure e) {
      verdict.wrong("YCSB: " + e.getMessage());
    }
    verdict.ycsb(results);
  }

  /** Collects the findings and prints them at the end. */
  private static final class Verdict {
    private final PrintWriter out;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    Verdict(PrintWriter out) {
      this.out = out;
    }

    void wrong(String what) {
      wrong.add(what);
    }

    void bank(BankWorkload.Report report) {
      lines.add(
          String.format(
              Locale.ROOT,
              "Bank: %d transfers and %d sums over %d accounts in %.1f s; %s",
              report.transfers(),
              report.audits(),
              ACCOUNTS,
              report.seconds(),
              report.problem() == null ? "every sum was exact" : "NOT every sum was exact"));
      @Nullable String problem = report.problem();
      if (problem != null) {
        wrong("bank: " + problem);
      }
    }

    void killed(List<Long> before, List<Long> after, double seconds) {
      boolean isSame = before.equals(after);
      lines.add(
          String.format(
              Locale.ROOT,
              "Death: all %d nodes were killed at once; %.1f s after their start %d accounts have a"
                  + " sum of %d%s",
              NODES,
              seconds,
              after.size(),
              after.stream().mapToLong(Long::longValue).sum(),
              isSame ? ", and each its balance" : ", and NOT each its balance"));
      if (!isSame) {
        wrong("bank: after the death of all nodes not every account has its balance");
      }
    }

    void ycsb(List<BenchResult> results) {
      lines.add("");
      lines.add(
          "YCSB on " + NODES + " nodes with data on disk (async), latencies as p50/p95/p99/p99.9:");
      lines.addAll(ResultTable.lines(results));
    }

    /** Prints all findings; returns the exit code. */
    int print() {
      out.println();
      lines.forEach(out::println);
      out.println();
      wrong.forEach(what -> out.println("WRONG: " + what));
      out.println(wrong.isEmpty() ? "PASSED: everything was as it must be" : "FAILED");
      out.flush();
      return wrong.isEmpty() ? 0 : 1;
    }
  }
}
