package io.canopygrid.it.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Some nodes, each a JVM of its own, that form one cluster over TCP. Confined to a thread. */
public final class Cluster implements AutoCloseable {
  private final List<NodeHandle> nodes = new ArrayList<>();

  private Cluster() {}

  /**
   * Starts nodes {@code n1}, {@code n2}, … one after the other, and returns when all have joined.
   *
   * @param directory for their logs
   * @param baseNanos the {@link System#nanoTime} that is time 0 in their histories
   */
  public static Cluster start(int size, Path directory, long baseNanos) throws IOException {
    Cluster cluster = new Cluster();
    try {
      List<Integer> ports = freePorts(size);
      String members =
          ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
      String name = "it-" + ports.get(0);
      for (int i = 0; i < size; i++) {
        NodeHandle node = NodeHandle.start("n" + (i + 1), directory);
        cluster.nodes.add(node);
        node.ask(
            Command.of("join")
                .with("cluster", name)
                .with("port", ports.get(i))
                .with("members", members)
                .with("base", baseNanos),
            Duration.ofMinutes(1));
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Ports of the loopback interface that nobody listens on. */
  public static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  List<NodeHandle> nodes() {
    return nodes;
  }

  /** Sends a command to one node; its answer. */
  Command ask(int node, Command command, Duration limit) {
    return nodes.get(node).ask(command, limit);
  }

  /** Sends a command to all nodes, which work on it at the same time; their answers. */
  List<Command> askAll(Command command, Duration limit) {
    return askEach(nodes.stream().map(node -> command).toList(), limit);
  }

  /** Sends each node a command of its own; their answers. */
  List<Command> askEach(List<Command> commands, Duration limit) {
    for (int i = 0; i < commands.size(); i++) {
      nodes.get(i).send(commands.get(i));
    }
    List<Command> answers = new ArrayList<>();
    for (NodeHandle node : nodes) {
      answers.add(node.answer(limit));
    }
    return answers;
  }

  @Override
  public void close() {
    nodes.forEach(NodeHandle::closeInput);
    nodes.forEach(NodeHandle::close);
  }
}
