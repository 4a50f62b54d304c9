package io.canopygrid.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.Durability;
import io.canopygrid.soak.cluster.Cluster;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.power.PowerRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes whose disks are not forced lose their power under load, all at once. A cut is left: each
 * transaction whole or not at all, with all that it has seen. Commits that were told longer before
 * than a moment are there, and a session that has seen what is lost is told so. Where one node
 * alone loses its power nothing is lost.
 */
final class AsyncPowerCutIT {
  private static final int CUTS = Integer.getInteger("canopy.power.cuts", 2);
  private static final long SEED = Long.getLong("canopy.power.seed", 1);

  /** In so many cuts something is lost. */
  private static final int CUTS_THAT_LOSE = 5;

  private static final int NODES = 3;

  /** Many, so that nothing is written into some of them between two cuts. */
  private static final int SHARDS = 32;

  private static final int LOAD_MILLIS_MIN = 1_000;
  private static final int LOAD_MILLIS_MAX = 4_000;
  private static final int START_MILLIS_MAX = 6_000;
  private static final long LOST_MILLIS_MAX = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Command SEQUENCE =
      Command.of("sequence").with("index", "sequence").with("writers", NODES);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private final Random random = new Random(SEED);
  private final List<Long> lostMillis = new ArrayList<>();

  /**
   * A commit that was told.
   *
   * @param number of its writer's
   */
  private record Told(long number, long nanos, String token) {}

  @BeforeAll
  static void powerCanBeCut() {
    String whyNot = PowerRecords.whyNot();
    assumeTrue(whyNot.isEmpty(), whyNot);
  }

  @Test
  void whatIsLeftIsACut() throws IOException, InterruptedException {
    PowerRecords power = PowerRecords.create(Cluster.disks(directory), directory.resolve("power"));
    try (Cluster cluster =
        Cluster.stored(
            NODES,
            SHARDS,
            Durability.ASYNC,
            TIMEOUT,
            directory,
            System.nanoTime(),
            power.environment())) {
      cluster.ask(0, SEQUENCE.with("how", "open"), LIMIT);
      for (int cut = 0; cut < CUTS; cut++) {
        List<Path> told = startWriters(cluster, cut);
        sleep(LOAD_MILLIS_MIN, LOAD_MILLIS_MAX);
        long cutNanos = System.nanoTime();
        switch (cut % 3) {
          case 0 -> cutAll(cluster, power);
          case 1 -> {
            cutAll(cluster, power);
            cluster.beginToJoin(prepare(cluster));
            sleep(0, START_MILLIS_MAX);
            cutAll(cluster, power);
          }
          default -> {
            cutOne(cluster, power);
            killAll(cluster);
          }
        }
        cluster.joinAll(prepare(cluster));
        check(cluster, told, cutNanos, cut % 3 != 2);
      }
    }
    assertThat(CUTS < CUTS_THAT_LOSE || !lostMillis.isEmpty()).as("something was lost").isTrue();
  }

  private List<Path> startWriters(Cluster cluster, int round) {
    List<Path> told = new ArrayList<>();
    for (int writer = 0; writer < NODES; writer++) {
      told.add(directory.resolve("told-" + round + "-" + writer));
      Command start =
          SEQUENCE
              .with("how", "start")
              .with("writer", writer)
              .with("round", round)
              .with("seed", random.nextLong())
              .with("told", told.get(writer));
      cluster.ask(writer, start, LIMIT);
    }
    return told;
  }

  private void cutAll(Cluster cluster, PowerRecords power) throws IOException {
    for (NodeHandle node : killAll(cluster)) {
      cut(node, power);
    }
  }

  private static List<NodeHandle> killAll(Cluster cluster) throws IOException {
    List<NodeHandle> all = cluster.nodes();
    for (NodeHandle node : all) {
      node.kill();
    }
    all.forEach(cluster::forget);
    return all;
  }

  /** The others go on, and it gets from them what it has lost. */
  private void cutOne(Cluster cluster, PowerRecords power)
      throws IOException, InterruptedException {
    NodeHandle node = cluster.nodes().get(random.nextInt(NODES));
    node.kill();
    cluster.forget(node);
    cut(node, power);
    sleep(0, LOAD_MILLIS_MAX);
    cluster.add();
  }

  private void cut(NodeHandle node, PowerRecords power) throws IOException {
    System.out.println(
        node.name() + " without power: " + power.cut(Integer.toString(node.port()), random));
  }

  private List<NodeHandle> prepare(Cluster cluster) throws IOException {
    List<NodeHandle> prepared = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      prepared.add(cluster.prepare());
    }
    Collections.shuffle(prepared, random);
    return prepared;
  }

  private void check(Cluster cluster, List<Path> files, long cutNanos, boolean mayLose)
      throws IOException {
    Command left = cluster.ask(random.nextInt(NODES), SEQUENCE.with("how", "look"), LIMIT);
    assertThat(left.text("wrong")).as("what is wrong, with seed %s", SEED).isEqualTo("-");
    for (int writer = 0; writer < NODES; writer++) {
      long standing = left.number("w" + writer);
      List<Told> told = told(files.get(writer));
      List<Long> ages =
          told.stream()
              .filter(one -> one.number() > standing)
              .map(one -> TimeUnit.NANOSECONDS.toMillis(cutNanos - one.nanos()))
              .toList();
      System.out.printf(
          "writer %d: %d told, lost that of so many ms before: %s%n", writer, told.size(), ages);
      assertThat(ages)
          .as("ms from a commit that is lost to the cut, with seed %s", SEED)
          .allMatch(age -> mayLose && age < LOST_MILLIS_MAX);
      lostMillis.addAll(ages);
      for (Told one : told) {
        if (one.number() == standing || one.equals(told.get(told.size() - 1))) {
          checkToken(cluster, one, standing);
        }
      }
    }
  }

  private void checkToken(Cluster cluster, Told one, long standing) {
    Command after = SEQUENCE.with("how", "after").with("token", one.token());
    List<Command> answers = cluster.askAll(after, LIMIT);
    for (Command answer : answers) {
      assertThat(Boolean.parseBoolean(answer.text("lost")))
          .as(
              "told that commits are lost: who has seen %s, where %s are left: %s",
              one, standing, answers)
          .isEqualTo(one.number() > standing);
    }
  }

  private static List<Told> told(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(line -> line.split(" ", -1))
        .map(fields -> new Told(Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2]))
        .toList();
  }

  private void sleep(int millisMin, int millisMax) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(millisMin, millisMax));
  }
}
