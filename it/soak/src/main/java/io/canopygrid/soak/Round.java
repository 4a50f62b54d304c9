package io.canopygrid.soak;

import io.canopygrid.history.Anomaly;
import io.canopygrid.history.History;
import io.canopygrid.history.HistoryChecker;
import io.canopygrid.history.HistoryHeader;
import io.canopygrid.history.HistoryWriter;
import io.canopygrid.history.MalformedHistoryException;
import io.canopygrid.history.Model;
import io.canopygrid.history.Txn;
import io.canopygrid.history.Verdict;
import io.canopygrid.history.Workload;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.power.PowerRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Some faults in a row, and the proof that clients noticed them by refusals only. */
final class Round {
  private static final Duration WHOLE = Duration.ofMinutes(2);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long PEACE_MILLIS = 1_500;

  /** A machine that is busy needs longer than the peace for one update. */
  private static final Duration UPDATE_LIMIT = Duration.ofSeconds(30);

  private static final int OWNERS = 2;

  /** The watches of the shards have transactions all the time, none of which takes so long. */
  private static final int OLDEST_SECONDS = 5;

  private final Cluster cluster;
  private final Path diaryFile;
  private final long baseNanos;
  private final long seed;
  private final List<RoundWork> works;
  private final Members members;

  /** The time at which the last fault was over, in the histories' time. */
  private long lastWholeNanos;

  private final RoundResult.Builder result = new RoundResult.Builder();

  /**
   * Creates a round of a cluster that has started.
   *
   * @param plant what clients do wrong on purpose, by its name; {@code NONE}
   */
  Round(
      Cluster cluster,
      Path directory,
      long baseNanos,
      List<Path> watches,
      int number,
      long seed,
      String faults,
      String plant) {
    this.cluster = cluster;
    this.baseNanos = baseNanos;
    this.seed = seed;
    this.diaryFile = directory.resolve("nemesis-" + number + ".jsonl");
    List<String> names = cluster.nodes().stream().map(NodeHandle::name).toList();
    this.works =
        List.of(
            RoundWork.recorded(Workload.LIST_APPEND, "lists" + number, seed, names, faults, plant),
            RoundWork.recorded(Workload.INDEX_SCAN, "rows" + number, seed, names, faults, plant),
            RoundWork.bank("bank" + number, seed));
    this.members = new Members(cluster, directory, diaryFile, watches, works, new Random(seed));
  }

  /**
   * Runs it.
   *
   * @param faults in this order; none: clients run for a while in peace
   * @param keep whether the histories stay in the directory also where they are right
   * @param power what the nodes' disks were forced to take; null: there are no power cuts
   */
  RoundResult run(List<ClusterFault> faults, boolean keep, @Nullable PowerRecords power)
      throws IOException, InterruptedException {
    try (HistoryWriter diary = diary(faults)) {
      begin();
      Nemesis nemesis = new Nemesis(cluster, members, new Random(seed), diary, power);
      for (ClusterFault fault : faults) {
        long began = System.nanoTime();
        long fromMillis = (began - baseNanos) / 1_000_000;
        nemesis.inject(fault);
        boolean whole = awaitWhole();
        result.fault(fault, fromMillis, System.nanoTime() - began);
        if (!whole) {
          break;
        }
      }
      if (faults.isEmpty()) {
        Thread.sleep(10 * PEACE_MILLIS);
      }
    }
    return end(keep);
  }

  /** Starts clients at all nodes, and leaves them in peace for a moment. */
  void begin() throws InterruptedException {
    List<NodeHandle> nodes = cluster.nodes();
    works.forEach(work -> work.open(nodes.get(0)));
    nodes.forEach(members::joined);
    Thread.sleep(PEACE_MILLIS);
  }

  Members members() {
    return members;
  }

  /** Waits until the cluster is whole. False: the cluster did not become whole in time. */
  boolean awaitWhole() throws InterruptedException {
    boolean whole = members.awaitWhole(WHOLE);
    lastWholeNanos = System.nanoTime() - baseNanos;
    if (whole) {
      Thread.sleep(PEACE_MILLIS);
    }
    return whole;
  }

  /** Stops the clients, and checks what they saw and left. */
  RoundResult end(boolean keep) throws IOException, InterruptedException {
    awaitUpdates();
    members.finish();
    long finishedNanos = System.nanoTime();
    for (RoundWork work : works) {
      if (work.isRecorded()) {
        check(work, keep);
      }
    }
    result.changes(members.changes(), members.drawn());
    result.wrong(members.wrong());
    members.deleteParts();
    return result.build(vitalsOnceEnded(finishedNanos));
  }

  /** Waits a while until every history has an update that began after the last fault. */
  private void awaitUpdates() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + UPDATE_LIMIT.toNanos();
    for (RoundWork work : works) {
      while (work.isRecorded() && !isUpdatedLast(work) && System.nanoTime() - deadline < 0) {
        Thread.sleep(PEACE_MILLIS / 3);
      }
    }
  }

  private boolean isUpdatedLast(RoundWork work) throws IOException {
    try {
      return isUpdatedLast(members.history(work));
    } catch (MalformedHistoryException | IndexOutOfBoundsException e) {
      return false; // a line was being written just now
    }
  }

  private boolean isUpdatedLast(History history) {
    return history.txns().stream()
        .anyMatch(txn ->
            txn.status() == Txn.Status.OK && txn.writes() && txn.startNanos() > lastWholeNanos);
  }

  private HistoryWriter diary(List<ClusterFault> faults) throws IOException {
    HistoryHeader header =
        new HistoryHeader(
            Workload.LIST_APPEND,
            seed,
            List.of(),
            2,
            System.getProperty("canopy.version", "unknown"),
            faults.toString(),
            Instant.now().toString());
    return new HistoryWriter(diaryFile, header, () -> System.nanoTime() - baseNanos);
  }

  private void check(RoundWork work, boolean keep) throws IOException, InterruptedException {
    History history = members.history(work);
    history.txns().forEach(result::count);
    if (!isUpdatedLast(history)) {
      result.wrong(List.of(work.index() + ": nothing was updated after the last fault"));
    }
    Verdict verdict = HistoryChecker.check(history, Model.EXTENDED_UPDATE_SERIALIZABLE, true);
    result.verdict(work.index(), verdict);
    checkIndex(work);
    if (verdict.clean() && !keep) {
      Files.delete(members.file(work));
    }
  }

  /** The index is sound at every node and has its copies, once splits under way are done. */
  private void checkIndex(RoundWork work) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    String why;
    do {
      why = copiesWrong(work);
      if (why.isEmpty()) {
        return;
      }
      Thread.sleep(PEACE_MILLIS / 3);
    } while (System.nanoTime() < deadline);
    result.wrong(List.of("index " + work.index() + ": " + why));
  }

  private String copiesWrong(RoundWork work) {
    List<Command> answers = new ArrayList<>();
    try {
      for (NodeHandle node : cluster.nodes()) {
        answers.add(node.ask(work.check(), LIMIT));
      }
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
    long entries = answers.get(0).number("entries");
    long copies = answers.stream().mapToLong(answer -> answer.number("copies")).sum();
    boolean same = answers.stream().allMatch(answer -> answer.number("entries") == entries);
    boolean closing = answers.stream().anyMatch(answer -> answer.number("closing") > 0);
    long owners = Math.min(OWNERS, answers.size());
    return same && !closing && copies == owners * entries ? "" : answers.toString();
  }

  /**
   * The measures of each node at the end. No node has an unused transaction left: such a
   * transaction would hold back the horizon for ever.
   */
  private List<Command> vitalsOnceEnded(long finishedNanos) throws InterruptedException {
    long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - finishedNanos);
    Thread.sleep(Math.max(0, 1_000 * (OLDEST_SECONDS + 1) - since));
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      List<Command> vitals = cluster.askAll(Command.of("vitals"), LIMIT);
      if (vitals.stream().allMatch(node -> node.number("oldest") < OLDEST_SECONDS)) {
        return vitals;
      }
      if (System.nanoTime() - deadline > 0) {
        result.wrong(List.of("transactions that nobody uses are open: " + vitals));
        return vitals;
      }
      Thread.sleep(PEACE_MILLIS);
    }
  }

  static boolean isLoss(Anomaly anomaly) {
    return anomaly == Anomaly.LOST_WRITE || anomaly == Anomaly.LOST_UPDATE;
  }
}
