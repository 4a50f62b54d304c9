package io.canopygrid.ycsb.cluster;

import io.canopygrid.Balancing;
import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on the loopback address. The cluster's servers are JVMs of their own; this JVM is
 * either the last node, with its share of the data, or a remote client. The servers end when this
 * JVM ends: by {@link #close}, by a signal, or when it is killed. Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
  /** The number of nodes at most: all servers take their heaps from one machine. */
  public static final int NODES_MAX = 16;

  private static final String HOST = "127.0.0.1";
  private static final String MAIN = "io.canopygrid.server.cli.Main";
  private static final Duration START_MAX = Duration.ofSeconds(60);

  private final List<ServerProcess> servers = new ArrayList<>();
  private final Thread hook = new Thread(this::killServers, "stop-servers");
  private final List<String> addresses = new ArrayList<>();
  private @Nullable Canopy canopy;

  private LocalCluster() {}

  /**
   * Checks a number of nodes.
   *
   * @throws IllegalArgumentException if it is not 1 to {@value #NODES_MAX}
   */
  public static void requireNodes(int nodes) {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "nodes must be from 1 to " + NODES_MAX + ": nodes=" + nodes);
    }
  }

  /**
   * Starts the servers one after the other, then the node in this JVM.
   *
   * @param nodes 1 to {@value #NODES_MAX}; 1 is this JVM alone
   * @param heap the heap of each server, as in {@code -Xmx}
   * @param balancing the balancing of every node; only {@code enabled} and {@code placement} are
   *     used
   * @param narrator prints what the servers print
   * @throws IOException if a server does not start
   * @throws io.canopygrid.CanopyException if this JVM's node does not start
   */
  public static LocalCluster start(int nodes, String heap, Balancing balancing, Narrator narrator)
      throws IOException, InterruptedException {
    return started(nodes, heap, balancing, narrator, false);
  }

  /**
   * Starts a server for every node, and connects this JVM as their client.
   *
   * @throws io.canopygrid.CanopyException if it cannot connect
   */
  public static LocalCluster startServers(int nodes, String heap, Narrator narrator)
      throws IOException, InterruptedException {
    return started(nodes, heap, Balancing.DEFAULTS, narrator, true);
  }

  private static LocalCluster started(
      int nodes, String heap, Balancing balancing, Narrator narrator, boolean remote)
      throws IOException, InterruptedException {
    requireNodes(nodes);
    Heap.require(heap);
    LocalCluster cluster = new LocalCluster();
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    try {
      cluster.startNodes(nodes, heap, balancing, narrator, remote);
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startNodes(
      int nodes, String heap, Balancing balancing, Narrator narrator, boolean remote)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.pick(nodes);
    List<String> members = ports.stream().map(port -> HOST + ":" + port).toList();
    String name = "canopy-" + ProcessHandle.current().pid();
    for (int n = 0; n < (remote ? nodes : nodes - 1); n++) {
      List<String> command = command(name, ports.get(n), members.subList(0, n), heap, balancing);
      ServerProcess server = ServerProcess.start("server " + (n + 1), command, narrator);
      synchronized (this) {
        servers.add(server);
      }
      String address = server.awaitReady(START_MAX);
      synchronized (this) {
        addresses.add(address);
      }
    }
    Canopy own =
        remote
            ? RemoteCanopy.connect(uri(), ClientOptions.DEFAULTS.withConnectTimeout(START_MAX))
            : EmbeddedCanopy.join(
                ClusterConfig.of(name)
                    .bindAddress(HOST)
                    .port(ports.get(nodes - 1))
                    .members(members.subList(0, nodes - 1))
                    .balancing(balancing));
    synchronized (this) {
      canopy = own;
    }
  }

  /** The addresses at which clients reach the servers. */
  public synchronized String uri() {
    return "canopy://" + String.join(",", addresses);
  }

  /** The address at which clients reach one of the servers, {@code host:port}. */
  public synchronized String address(int server) {
    return addresses.get(server);
  }

  /** The id of a server's process. */
  public synchronized long pid(int server) {
    return servers.get(server).handle().pid();
  }

  /** Kills a server at once, as a crash would. */
  public synchronized void kill(int server) {
    servers.get(server).kill();
  }

  private static List<String> command(
      String name, int port, List<String> members, String heap, Balancing balancing) {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(List.of("server", "--attached", "--name", name));
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(port)));
    command.addAll(List.of("--client-port", "0"));
    command.addAll(List.of("--balance", Boolean.toString(balancing.enabled())));
    command.addAll(List.of("--placement", balancing.placement().name().toLowerCase(Locale.ROOT)));
    if (!members.isEmpty()) {
      command.addAll(List.of("--join", String.join(",", members)));
    }
    return command;
  }

  /** The handle of this JVM; the cluster closes it. */
  public synchronized Canopy canopy() {
    if (canopy == null) {
      throw new IllegalStateException("the cluster is closed");
    }
    return canopy;
  }

  /** CPU time so far of the processes of all nodes, in seconds. */
  public synchronized double cpuSeconds() {
    return CpuTime.seconds(
        Stream.concat(
            Stream.of(ProcessHandle.current()), servers.stream().map(ServerProcess::handle)));
  }

  /** CPU time so far of this JVM, in seconds. */
  public static double ownCpuSeconds() {
    return CpuTime.seconds(Stream.of(ProcessHandle.current()));
  }

  /** The names of servers that have ended by themselves. */
  public synchronized List<String> deadServers() {
    return servers.stream().filter(s -> !s.isAlive()).map(ServerProcess::name).toList();
  }

  /** Stops all that was started; does nothing the second time. */
  @Override
  public synchronized void close() {
    if (canopy instanceof RemoteCanopy) {
      canopy.close();
      canopy = null;
    }
    servers.forEach(ServerProcess::stop);
    if (canopy != null) {
      canopy.close();
      canopy = null;
    }
    servers.forEach(ServerProcess::close);
    servers.clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      return; // the hook runs, or has run
    }
  }

  /** Kills the servers: their data ends with this JVM, so they need not leave in order. */
  private synchronized void killServers() {
    servers.forEach(server -> server.handle().destroyForcibly());
  }
}
