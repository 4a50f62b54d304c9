package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Placement;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.Heap;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench hotkey}: many clients that increment one key. */
@Command(
    name = "hotkey",
    description = {
      "Measure how many increments of one key many clients get committed in a second, against one"
          + " client that increments as many keys in turn: by transactions that read and write, and by"
          + " the function that every node has.",
      "It starts servers, this JVM is the last node, and its threads are the clients. The sums of the"
          + " counters must be the commits."
    },
    footer = {
      "",
      "A line for each round and way, then the medians: commits per second of one client and of all,",
      "their ratio, commits of the least client as a part of the average one's, the longest commit,",
      "aborted attempts per commit.",
      "",
      "Exit code 1 if an increment failed or was lost."
    })
final class HotKeyCommand implements Callable<Integer> {
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

  /** One client with many keys, and many clients with one key. */
  private record Round(Increments.Run alone, Increments.Run together) {
    double ratio() {
      return together.perSecond() / alone.perSecond();
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Narrator narrator = Narrator.onStandardError();
    PrintWriter out = spec.commandLine().getOut();
    try (LocalCluster cluster = LocalCluster.start(nodes, heap, Placement.EVEN, narrator)) {
      Canopy db = cluster.canopy();
      Index<Long, Long> index = db.index("hotkey", Codec.int64(), Codec.int64());
      Increments increments = new Increments(db, index, seconds);
      Map<Increments.Way, List<Round>> measured = new EnumMap<>(Increments.Way.class);
      for (int i = 0; i <= rounds; i++) {
        for (Increments.Way way : Increments.Way.values()) {
          Round round =
              new Round(increments.alone(way, clients), increments.together(way, clients));
          if (i > 0) {
            measured.computeIfAbsent(way, any -> new ArrayList<>()).add(round);
            print(out, "round " + i, way, List.of(round));
          }
        }
      }
      measured.forEach((way, list) -> print(out, "median", way, list));
      increments.requireComplete();
      return 0;
    } catch (BenchFailure e) {
      narrator.say("FAILED: " + e.getMessage());
      return 1;
    }
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

  private void print(PrintWriter out, String what, Increments.Way way, List<Round> list) {
    out.printf(
        Locale.ROOT,
        "%s by %s: one client with %d keys %.0f/s, %d clients with one key %.0f/s, ratio %.2f,"
            + " least client %.2f, longest %.0f ms, aborts per commit %.2f%n",
        what,
        way.toString().toLowerCase(Locale.ROOT),
        clients,
        median(list.stream().map(round -> round.alone().perSecond()).toList()),
        clients,
        median(list.stream().map(round -> round.together().perSecond()).toList()),
        median(list.stream().map(Round::ratio).toList()),
        median(list.stream().map(round -> round.together().leastShare()).toList()),
        median(list.stream().map(round -> round.together().longestMillis()).toList()),
        median(list.stream().map(round -> round.together().abortsPerCommit()).toList()));
    out.flush();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
