package io.canopygrid.soak.cluster;

import io.canopygrid.history.History;
import io.canopygrid.history.HistoryMerge;
import io.canopygrid.history.HistoryReader;
import io.canopygrid.history.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One recorded run of all nodes of a cluster.
 *
 * @param index the index that was used
 * @param file the merged history
 * @param answers what each node said about its clients
 * @param finals what each node said about its final reads
 * @param carved what each node said about the changes of the structure that it made meanwhile
 */
record Recording(
    String index, Path file, List<Command> answers, List<Command> finals, List<Command> carved) {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int CLIENTS_PER_NODE = 3;
  private static final int CARVE_MILLIS = 50;

  /**
   * Lets clients run on all nodes until each node has committed its part, then reads every key ever
   * used from every node.
   *
   * @param transactions committed ones, of all nodes together
   */
  static Recording of(
      Cluster cluster,
      Path directory,
      Workload workload,
      ClientBug plant,
      long seed,
      int transactions)
      throws IOException {
    String name = workload.label() + "-" + plant + "-" + seed;
    Command command =
        Command.of("history")
            .with("workload", workload.name())
            .with("plant", plant)
            .with("seed", seed)
            .with("index", name)
            .with("nodes", String.join(",", cluster.names()))
            .with("fault", "none")
            .with("version", System.getProperty("canopy.version", "unknown"))
            .with("clients", CLIENTS_PER_NODE)
            .with("subtree", 16)
            .with("transactions", (transactions + cluster.size() - 1) / cluster.size());
    List<Path> parts = new ArrayList<>();
    cluster.askAll(
        Command.of("carve")
            .with("how", "start")
            .with("indexes", name)
            .with("everyMillis", CARVE_MILLIS)
            .with("seed", seed),
        LIMIT);
    List<Command> answers =
        cluster.askEach(
            commands(cluster, directory, name, "run", parts, command.with("final", 0), 0), LIMIT);
    List<Command> carved = cluster.askAll(Command.of("carve").with("how", "stop"), LIMIT);
    int numbers = answers.stream().mapToInt(answer -> answer.integer("numbers")).max().orElse(0);
    List<Command> finals =
        cluster.askEach(
            commands(cluster, directory, name, "final", parts, command.with("final", 1), numbers),
            LIMIT);
    Path merged = directory.resolve(name + ".jsonl");
    HistoryMerge.merge(parts, merged);
    return new Recording(name, merged, answers, finals, carved);
  }

  /** The command for each node, with a file of its own, which is added to the parts. */
  private static List<Command> commands(
      Cluster cluster,
      Path directory,
      String name,
      String phase,
      List<Path> parts,
      Command command,
      int numbers) {
    List<Command> commands = new ArrayList<>();
    for (NodeHandle node : cluster.nodes()) {
      Path part = directory.resolve(name + "-" + phase + "-" + node.name() + ".jsonl");
      parts.add(part);
      commands.add(command.with("file", part).with("numbers", numbers));
    }
    return commands;
  }

  History history() throws IOException {
    return HistoryReader.read(file);
  }

  /**
   * The number of subtrees that were split, merged or moved by the nodes while the clients worked.
   */
  long changes() {
    return carved.stream()
        .mapToLong(node -> node.number("split") + node.number("merge") + node.number("move"))
        .sum();
  }

  /** A count of all nodes' clients. */
  long sum(String name) {
    return answers.stream().mapToLong(answer -> answer.number(name)).sum()
        + finals.stream().mapToLong(answer -> answer.number(name)).sum();
  }
}
