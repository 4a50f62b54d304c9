package io.canopygrid.study.grid;

import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.ClusterJoin;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of study members on the loopback address: JVMs of their own, and this one as the last.
 * The other JVMs end with this one, whatever ends it.
 */
public final class StudyCluster implements AutoCloseable {
  /** Most nodes: all of them share one machine. */
  public static final int NODES_MAX = 16;

  private static final String HOST = "127.0.0.1";
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final Duration START_MAX = Duration.ofMinutes(2);

  /**
   * No node is made to fail: a silent node waits for a processor of this machine, which others may
   * use, too. The members notice the end of another by its closed connections.
   */
  private static final Duration SILENT_MAX = Duration.ofMinutes(2);

  private final List<ServerProcess> processes = new ArrayList<>();
  private final StudyMember member;

  /**
   * Starts the nodes one after the other.
   *
   * @param nodes 2 to {@value #NODES_MAX}
   * @param heap of each other JVM, as in {@code -Xmx}
   * @throws IOException if one does not start
   */
  public StudyCluster(int nodes, String heap, Narrator narrator)
      throws IOException, InterruptedException {
    if (nodes < 2 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "nodes must be from 2 to " + NODES_MAX + ": nodes=" + nodes);
    }
    String name = "canopy-study-" + ProcessHandle.current().pid();
    List<Integer> ports = FreePorts.pick(nodes);
    boolean started = false;
    try {
      for (int n = 0; n < nodes - 1; n++) {
        List<String> command = command(name, ports, n, heap);
        ServerProcess process = ServerProcess.start("node " + (n + 1), command, narrator);
        processes.add(process);
        process.awaitReady(START_MAX);
      }
      member = new StudyMember(ClusterJoin.alone(config(name, ports, nodes - 1)));
      started = true;
    } finally {
      if (!started) {
        processes.forEach(ServerProcess::close);
      }
    }
  }

  private static List<String> command(String name, List<Integer> ports, int n, String heap) {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC"));
    command.addAll(List.of("-cp", JavaCommand.classPath(), MAIN));
    command.addAll(List.of("study", "node", "--name", name));
    command.addAll(List.of("--ports", text(ports.subList(0, n + 1))));
    return command;
  }

  private static String text(List<Integer> ports) {
    return String.join(",", ports.stream().map(String::valueOf).toList());
  }

  /**
   * The configuration with which a node joins.
   *
   * @param ports of all nodes that were started before, and of this one
   * @param n which one it is
   */
  public static ClusterConfig config(String name, List<Integer> ports, int n) {
    return ClusterConfig.of(name)
        .bindAddress(HOST)
        .port(ports.get(n))
        .joinTimeout(START_MAX)
        .failureTimeout(SILENT_MAX)
        .members(ports.subList(0, n).stream().map(port -> HOST + ":" + port).toList());
  }

  /** The node in this JVM. */
  public StudyMember member() {
    return member;
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::stop);
    member.close();
    processes.forEach(ServerProcess::close);
  }
}
