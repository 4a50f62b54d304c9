package io.canopygrid.ycsb.bench;

import io.canopygrid.Balancing;
import io.canopygrid.Canopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.Heap;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench hotkey}: measures many clients that increment one key. */
@Command(
    name = "hotkey",
    description = {
      "Measure how many increments of one key many clients get committed in a second, against one"
          + " client that increments as many keys in turn: by transactions that read and write, and"
          + " by the function that every node has.",
      "It starts servers, this JVM is the last node, and its threads are the clients. All is"
          + " measured with a key that has its primary here, and with one that has it at another"
          + " node. The sums of the counters must be the commits."
    },
    footer = {
      "",
      "A line for each round, place and way, then the medians: commits per second of one client and"
          + " of",
      "all, their ratio, and of all the commits of the least client as a part of the average one's,"
          + " the",
      "longest commit, aborted attempts and requests to other nodes' primaries per commit.",
      "",
      "Exit code 1 if an increment failed or was lost."
    })
final class HotKeyCommand implements Callable<Integer> {
  /** No balancing, so that a counter's primary stays at its node. */
  private static final Balancing STILL = Balancing.DEFAULTS.enabled(false);

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes, this JVM included (${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "16",
      description = "Clients of the one key, and keys of the one client (${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of all, after one that does not count (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "3",
      description = "Length of each measurement (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "512m",
      description = "Heap of each server (${DEFAULT-VALUE}).")
  private String heap = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Measures one client with many keys, and many clients with one key. */
  private record Round(Increments.Run alone, Increments.Run together) {
    double ratio() {
      return together.perSecond() / alone.perSecond();
    }
  }

  /** A measurement that is made by turns with others. */
  private record Series(
      Primary primary, Increments.Way way, Increments increments, List<Round> rounds) {
    Round measure(int clients) throws BenchFailure {
      return new Round(increments.alone(way, clients), increments.together(way, clients));
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Narrator narrator = Narrator.onStandardError();
    PrintWriter out = spec.commandLine().getOut();
    try (LocalCluster cluster = LocalCluster.start(nodes, heap, STILL, narrator)) {
      List<Series> all = series(cluster.canopy());
      for (int i = 0; i <= rounds; i++) {
        for (Series series : all) {
          Round round = series.measure(clients);
          if (i > 0) {
            series.rounds().add(round);
            print(out, "round " + i, series, List.of(round));
          }
        }
      }
      all.forEach(series -> print(out, "median", series, series.rounds()));
      for (Series series : all) {
        series.increments().requireComplete();
      }
      return 0;
    } catch (BenchFailure e) {
      narrator.say("FAILED: " + e.getMessage());
      return 1;
    }
  }

  private List<Series> series(Canopy db) throws BenchFailure {
    List<Series> series = new ArrayList<>();
    for (Primary primary : nodes == 1 ? List.of(Primary.HERE) : List.of(Primary.values())) {
      Increments increments = new Increments(db, primary, seconds);
      for (Increments.Way way : Increments.Way.values()) {
        series.add(new Series(primary, way, increments, new ArrayList<>()));
      }
    }
    return series;
  }

  private void check() {
    try {
      LocalCluster.requireNodes(nodes);
      Heap.require(heap);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (clients < 2 || clients > 1_024 || rounds < 1 || rounds > 1_000) {
      throw new ParameterException(
          spec.commandLine(), "--clients is from 2 to 1024, --rounds from 1 to 1000");
    }
    if (!(seconds > 0 && seconds <= BenchSettings.SECONDS_MAX)) {
      throw new ParameterException(spec.commandLine(), "--seconds is above 0");
    }
  }

  private void print(PrintWriter out, String what, Series series, List<Round> rounds) {
    out.printf(
        Locale.ROOT,
        "%s, primary %s, by %s: one client with %d keys %.0f/s, %d clients with one key %.0f/s,"
            + " ratio %.2f, least client %.2f, longest %.0f ms, aborts per commit %.2f, requests"
            + " per commit %.2f%n",
        what,
        series.primary(),
        series.way().toString().toLowerCase(Locale.ROOT),
        clients,
        median(rounds, round -> round.alone().perSecond()),
        clients,
        median(rounds, round -> round.together().perSecond()),
        median(rounds, Round::ratio),
        median(rounds, round -> round.together().leastShare()),
        median(rounds, round -> round.together().longestMillis()),
        median(rounds, round -> round.together().abortsPerCommit()),
        median(rounds, round -> round.together().requestsPerCommit()));
    out.flush();
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
    return rounds.stream().mapToDouble(value).sorted().toArray()[rounds.size() / 2];
  }
}
