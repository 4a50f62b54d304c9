package io.canopygrid.roundtrip;

import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.ycsb.cluster.Heap;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench roundtrip}. */
@Command(
    name = "roundtrip",
    description = {
      "Measure how long a question and its answer take between two JVMs of this machine, layer by"
          + " layer, from a socket up to a look-up of a key that only the other node has.",
      "One thread, one question at a time, all layers in turn in each round. It starts the other"
          + " JVM. Results are on standard output, everything else on standard error."
    },
    footer = {
      "",
      "Layers, and what each stands on, to which it adds:",
      "  socket    a blocking TCP socket that sends at once",
      "  jgroups   JGroups' request and response on the stack that it ships, tcp.xml",
      "  stack     the same on Canopy's stack",
      "  messages  (socket) a message each way on Canopy's stack, as a read's are sent",
      "  call      (messages) a question of a node beside the protocol",
      "  read      (messages) a transaction with one read, without an index",
      "  lookup    (read) a transaction with one look-up in an index",
      "Messages are as long as the look-up's. Times are medians of the rounds; cpu is",
      "processor time of both JVMs for each question. --output json prints a line for",
      "each layer and round, for bench compare.",
      "",
      "Exit code 1 if an answer was wrong, or a look-up asked no other node."
    },
    synopsisSubcommandLabel = "",
    subcommands = PartnerCommand.class)
final class RoundTripCommand implements Callable<Integer> {
  private static final int ROUNDS_MAX = 1_000;
  private static final double SECONDS_MAX = 3_600;
  private static final int KEYS_MIN = 1_000;
  private static final int KEYS_MAX = 1_000_000;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      paramLabel = "N",
      description = "Turns of all layers, after the warm-up (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      paramLabel = "S",
      description = "Length of each measurement (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warmup",
      defaultValue = "6",
      paramLabel = "S",
      description = "Length of each layer's warm-up (${DEFAULT-VALUE}).")
  private double warmup;

  @Option(
      names = "--keys",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Keys of the index (${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "Heap of the other JVM (${DEFAULT-VALUE}).")
  private String heap = "";

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    check();
    Narrator narrator = Narrator.onStandardError();
    PrintWriter out = spec.commandLine().getOut();
    List<Result> results = new ArrayList<>();
    narrator.say("Starting the other JVM");
    try (RoundTrips roundTrips = new RoundTrips(heap, keys, narrator)) {
      roundTrips.run(
          rounds,
          warmup,
          seconds,
          result -> {
            results.add(result);
            if (output.isJson()) {
              out.println(result.json());
              out.flush();
            }
          });
    }
    if (!output.isJson()) {
      new RoundTripTable(results).lines().forEach(out::println);
      out.flush();
    }
    return isRemote(results, narrator) ? 0 : 1;
  }

  /** Whether every transaction has asked the other node. */
  private static boolean isRemote(List<Result> results, Narrator narrator) {
    for (Result result : results) {
      if (!result.isRemote()) {
        narrator.say(
            String.format(
                Locale.ROOT,
                "FAILED: %d of %s, but %d requests to the other node in round %d",
                result.questions(),
                result.layer(),
                result.remoteRequests(),
                result.round()));
        return false;
      }
    }
    return true;
  }

  private void check() {
    require(rounds >= 1 && rounds <= ROUNDS_MAX, "--rounds is from 1 to " + ROUNDS_MAX);
    require(seconds > 0 && seconds <= SECONDS_MAX, "--seconds is above 0");
    require(warmup > 0 && warmup <= SECONDS_MAX, "--warmup is above 0");
    require(keys >= KEYS_MIN && keys <= KEYS_MAX, "--keys is from 1000 to 1000000");
    try {
      Heap.require(heap);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
