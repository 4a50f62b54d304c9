package io.canopygrid.soak;

import io.canopygrid.history.History;
import io.canopygrid.history.HistoryMerge;
import io.canopygrid.history.HistoryReader;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps clients running on the nodes of a cluster while nodes come and go, and what they report.
 * Confined to a thread.
 */
final class Members {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 500;
  private static final int CARVE_MILLIS = 50;

  private final Cluster cluster;
  private final Path directory;
  private final Path diary;
  private final List<Path> watches;
  private final List<RoundWork> works;
  private final Map<RoundWork, List<Path>> parts = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private final Random random;
  private long changes;
  private final Set<String> drawn = new HashSet<>();

  /**
   * For one round.
   *
   * @param diary where the nemesis writes what it does
   * @param watches where it is noted which shards served when; grows
   * @param works what clients do on each node, while it changes the structure of their indexes
   */
  Members(
      Cluster cluster,
      Path directory,
      Path diary,
      List<Path> watches,
      List<RoundWork> works,
      Random random) {
    this.random = random;
    this.diary = diary;
    this.cluster = cluster;
    this.directory = directory;
    this.watches = watches;
    this.works = works;
    works.forEach(work -> parts.put(work, new ArrayList<>()));
  }

  /** A node has joined: its shards are watched, and clients start there. */
  void joined(NodeHandle node) {
    Path watch = directory.resolve("watch-" + node.name());
    if (!watches.contains(watch)) {
      watches.add(watch);
      node.ask(Command.of("watch").with("file", watch), LIMIT);
    }
    for (RoundWork work : works) {
      Path part = directory.resolve(work.index() + "-" + node.name() + ".jsonl");
      if (work.isRecorded()) {
        parts(work).add(part);
      }
      node.ask(work.start(part), LIMIT);
    }
    if (!works.isEmpty()) {
      node.ask(carve(), LIMIT);
    }
  }

  private Command carve() {
    String indexes =
        works.stream()
            .filter(RoundWork::isRecorded)
            .map(RoundWork::index)
            .collect(Collectors.joining(","));
    return Command.of("carve")
        .with("how", "start")
        .with("indexes", indexes)
        .with("everyMillis", CARVE_MILLIS)
        .with("seed", random.nextLong());
  }

  /** A node is about to leave: its clients stop. */
  void leaves(NodeHandle node) {
    if (!works.isEmpty()) {
      stopCarving(node);
    }
    for (RoundWork work : works) {
      Command answer = node.ask(work.stop(), LIMIT);
      if (answer.number("crashes") > 0) {
        wrong.add(node.name() + ", " + work.index() + ": " + answer);
      }
      if (answer.has("wrongSums") && answer.number("wrongSums") > 0) {
        wrong.add(node.name() + " saw wrong sums: " + answer);
      }
    }
  }

  private void stopCarving(NodeHandle node) {
    Command carved = node.ask(Command.of("carve").with("how", "stop"), LIMIT);
    if (!carved.text("failure").equals("-")) {
      wrong.add(node.name() + " could not change the structure: " + carved);
    }
    changes += carved.number("split") + carved.number("merge") + carved.number("move");
    drawn.addAll(List.of(carved.text("drawn").split(",", -1)));
    drawn.remove("");
  }

  void died(NodeHandle node) {
    cluster.forget(node);
  }

  /** The clients of all nodes stop, and one of each node reads everything. */
  void finish() throws IOException {
    cluster.nodes().forEach(this::leaves);
    for (RoundWork work : works) {
      long numbers = work.isRecorded() ? 1 + greatestNumber(history(work)) : 0;
      for (NodeHandle node : cluster.nodes()) {
        if (work.isRecorded()) {
          Path part = directory.resolve(work.index() + "-final-" + node.name() + ".jsonl");
          parts(work).add(part);
          Command answer = node.ask(work.readAll(part, numbers), LIMIT);
          if (answer.number("undone") + answer.number("crashes") > 0) {
            wrong.add(node.name() + " could not read everything: " + answer);
          }
        } else {
          work.checkTotal(node, wrong);
        }
      }
    }
  }

  /**
   * Waits until every node sees all of the others and every shard serves at every node.
   *
   * @return false where it has not come to that in time
   */
  boolean awaitWhole(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    String why;
    do {
      why = "";
      Command ask = Command.of("whole").with("members", cluster.nodes().size());
      for (NodeHandle node : cluster.nodes()) {
        Command answer = node.ask(ask, LIMIT);
        if (answer.number("whole") == 0) {
          why = node.name() + " says " + answer.text("why").substring(1);
          break;
        }
      }
      if (why.isEmpty()) {
        return true;
      }
      Thread.sleep(POLL_MILLIS);
    } while (System.nanoTime() < deadline);
    wrong.add("the cluster does not become whole again within " + limit + ": " + why);
    return false;
  }

  /** The transactions that the clients of a work have recorded so far. */
  History history(RoundWork work) throws IOException {
    List<Path> files = new ArrayList<>(parts(work));
    if (Files.exists(diary)) {
      files.add(diary);
    }
    return HistoryReader.read(HistoryMerge.merge(files, file(work)));
  }

  /** The file with the merged history of a work. */
  Path file(RoundWork work) {
    return directory.resolve(work.index() + ".jsonl");
  }

  /** Keys are numbered in their stripe, which is their first letter. */
  private static long greatestNumber(History history) {
    return history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .mapToLong(op -> Long.parseLong(op.key().substring(1)))
        .max()
        .orElse(0);
  }

  /** The files that clients have written, which the merged history makes superfluous. */
  void deleteParts() throws IOException {
    for (List<Path> files : parts.values()) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(diary);
  }

  private List<Path> parts(RoundWork work) {
    List<Path> files = parts.get(work);
    if (files == null) {
      throw new IllegalArgumentException("not of this round: " + work);
    }
    return files;
  }

  /** The number of subtrees that were split, merged and moved by nodes that ended in order. */
  long changes() {
    return changes;
  }

  /** The number of subtrees that went to the node whose clients use them, as these have noticed. */
  int drawn() {
    return drawn.size();
  }

  /** Events that no fault of the cluster excuses, in words. */
  List<String> wrong() {
    return wrong;
  }
}
