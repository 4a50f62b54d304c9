package io.canopygrid.soak;

import io.canopygrid.history.Workload;
import io.canopygrid.soak.cluster.BankClient;
import io.canopygrid.soak.cluster.Command;
import io.canopygrid.soak.cluster.NodeHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of some clients of each node in one round.
 *
 * @param index the index that they use
 * @param workload what they do there; null: they keep a bank, which needs no history
 * @param command the values that all their commands have
 */
record RoundWork(String index, @Nullable Workload workload, Command command) {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String BANK = "bank";

  static RoundWork recorded(
      Workload workload, String index, long seed, List<String> nodes, String fault, String plant) {
    Command command =
        common(index, seed)
            .with("workload", workload.name())
            .with("clients", 2)
            .with("plant", plant)
            .with("nodes", String.join(",", nodes))
            .with("fault", fault)
            .with("version", System.getProperty("canopy.version", "unknown"))
            .with("subtree", 16);
    return new RoundWork(index, workload, command);
  }

  static RoundWork bank(String index, long seed) {
    return new RoundWork(
        index, null, common(index, seed).with("workload", BANK).with("clients", 1));
  }

  private static Command common(String index, long seed) {
    return Command.of("common").with("index", index).with("seed", seed);
  }

  boolean isRecorded() {
    return workload != null;
  }

  /** Begins, before any node's clients start. */
  void open(NodeHandle node) {
    if (!isRecorded()) {
      node.ask(command.as("bank").with("open", 1), LIMIT);
    }
  }

  Command start(Path part) {
    return command
        .as("start")
        .with("final", 0)
        .with("numbers", 0)
        .with("transactions", Long.MAX_VALUE)
        .with("file", part);
  }

  Command stop() {
    return Command.of("stop").with("index", index);
  }

  Command readAll(Path part, long numbers) {
    return command.as("history").with("final", 1).with("numbers", numbers).with("file", part);
  }

  /** Asks a node to check the index. */
  Command check() {
    return command.as("check");
  }

  /** Adds to a list of what is wrong if there is not all the money. */
  void checkTotal(NodeHandle node, List<String> wrong) {
    Command total = node.ask(Command.of("total").with("index", index), LIMIT);
    if (total.number("total") != BankClient.TOTAL) {
      wrong.add(node.name() + " sees another sum of the bank: " + total);
    }
  }
}
