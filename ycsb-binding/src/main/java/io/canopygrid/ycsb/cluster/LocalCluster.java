package io.canopygrid.ycsb.cluster;

import io.canopygrid.Balancing;
import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Durability;
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
  private final Layout layout;
  private @Nullable Canopy canopy;

  private LocalCluster(Layout layout) {
    this.layout = layout;
  }

  /**
   * The nodes, as they are started, also again.
   *
   * @param remote whether this JVM is a client of them, and no node
   * @param durability of their data; null: it is in memory
   * @param directories of their data; null: it is in memory
   * @param options for {@code canopy server}, beside all that
   */
  private record Layout(
      String name,
      List<Integer> ports,
      String heap,
      Balancing balancing,
      Narrator narrator,
      boolean remote,
      @Nullable Durability durability,
      @Nullable Directories directories,
      List<String> options) {
    int servers() {
      return remote ? ports.size() : ports.size() - 1;
    }

    List<String> members() {
      return ports.stream().map(port -> HOST + ":" + port).toList();
    }
  }

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
    return start(nodes, heap, balancing, ClusterData.MEMORY, narrator);
  }

  /**
   * The same with data in another place. A cluster with all data on disk can be {@linkplain
   * #killAll killed} and {@linkplain #startAgain started again}; {@link #close} removes the data.
   */
  public static LocalCluster start(
      int nodes, String heap, Balancing balancing, ClusterData data, Narrator narrator)
      throws IOException, InterruptedException {
    return started(nodes, heap, balancing, narrator, false, data, List.of());
  }

  /**
   * Starts a server for every node, and connects this JVM as their client.
   *
   * @throws io.canopygrid.CanopyException if it cannot connect
   */
  public static LocalCluster startServers(int nodes, String heap, Narrator narrator)
      throws IOException, InterruptedException {
    return startServers(nodes, heap, ClusterData.MEMORY, narrator);
  }

  /** The same with data in another place. */
  public static LocalCluster startServers(
      int nodes, String heap, ClusterData data, Narrator narrator)
      throws IOException, InterruptedException {
    return started(nodes, heap, Balancing.DEFAULTS, narrator, true, data, List.of());
  }

  /** The same with data in memory, and with options for {@code canopy server}. */
  public static LocalCluster startServers(
      int nodes, String heap, List<String> options, Narrator narrator)
      throws IOException, InterruptedException {
    return started(
        nodes, heap, Balancing.DEFAULTS, narrator, true, ClusterData.MEMORY, List.copyOf(options));
  }

  private static LocalCluster started(
      int nodes,
      String heap,
      Balancing balancing,
      Narrator narrator,
      boolean remote,
      ClusterData data,
      List<String> options)
      throws IOException, InterruptedException {
    requireNodes(nodes);
    Heap.require(heap);
    String name = "canopy-" + ProcessHandle.current().pid();
    List<Integer> ports = FreePorts.pick(nodes);
    Durability durability = data.durability();
    Directories directories = durability == null ? null : Directories.make(data.below());
    LocalCluster cluster =
        new LocalCluster(
            new Layout(
                name, ports, heap, balancing, narrator, remote, durability, directories, options));
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    try {
      cluster.startOneByOne();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startOneByOne() throws IOException, InterruptedException {
    List<String> members = layout.members();
    for (int n = 0; n < layout.servers(); n++) {
      awaitReady(startServer(n, members.subList(0, n)));
    }
    connect(members.subList(0, members.size() - 1));
  }

  private ServerProcess startServer(int n, List<String> members) throws IOException {
    ServerProcess server =
        ServerProcess.start("server " + (n + 1), command(n, members), layout.narrator());
    synchronized (this) {
      servers.add(server);
    }
    return server;
  }

  private void awaitReady(ServerProcess server) throws IOException, InterruptedException {
    String address = server.awaitReady(START_MAX);
    synchronized (this) {
      addresses.add(address);
    }
  }

  /** Makes this JVM a client, or the last node. */
  private void connect(List<String> members) {
    Canopy own =
        layout.remote()
            ? RemoteCanopy.connect(uri(), ClientOptions.DEFAULTS.withConnectTimeout(START_MAX))
            : EmbeddedCanopy.join(ownNode(members));
    synchronized (this) {
      canopy = own;
    }
  }

  private ClusterConfig ownNode(List<String> members) {
    int last = layout.ports().size() - 1;
    ClusterConfig config =
        ClusterConfig.of(layout.name())
            .bindAddress(HOST)
            .port(layout.ports().get(last))
            .members(members)
            .balancing(layout.balancing());
    Directories directories = layout.directories();
    Durability durability = layout.durability();
    return directories == null || durability == null
        ? config
        : config.dataDirectory(directories.of(last)).durability(durability);
  }

  /**
   * Ends all nodes at once: the servers' processes are killed as a crash would do it, and the node
   * of this JVM goes without a word to the others. To be used where data is on disk.
   */
  public synchronized void killAll() {
    servers.forEach(ServerProcess::kill);
    if (canopy instanceof EmbeddedCanopy own) {
      own.abandon();
    }
    canopy = null;
    servers.forEach(ServerProcess::close);
    servers.clear();
    addresses.clear();
  }

  /**
   * Starts all nodes again at the same time, as each of them waits for the others' disks.
   *
   * @throws IOException if a server does not start
   * @throws io.canopygrid.CanopyException if this JVM's node does not start
   */
  public void startAgain() throws IOException, InterruptedException {
    List<String> members = layout.members();
    List<ServerProcess> started = new ArrayList<>();
    for (int n = 0; n < layout.servers(); n++) {
      started.add(startServer(n, members));
    }
    if (!layout.remote()) {
      connect(members);
    }
    for (ServerProcess server : started) {
      awaitReady(server);
    }
    if (layout.remote()) {
      connect(members);
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

  private List<String> command(int n, List<String> members) {
    Balancing balancing = layout.balancing();
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xms" + layout.heap(), "-Xmx" + layout.heap(), "-XX:+UseG1GC"));
    command.addAll(List.of("-cp", JavaCommand.classPath(), MAIN));
    command.addAll(List.of("server", "--attached", "--name", layout.name()));
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(layout.ports().get(n))));
    command.addAll(List.of("--client-port", "0"));
    command.addAll(List.of("--balance", Boolean.toString(balancing.enabled())));
    command.addAll(List.of("--placement", balancing.placement().name().toLowerCase(Locale.ROOT)));
    Directories directories = layout.directories();
    Durability durability = layout.durability();
    if (directories != null && durability != null) {
      command.addAll(List.of("--data-directory", directories.of(n).toString()));
      command.addAll(List.of("--durability", durability.name().toLowerCase(Locale.ROOT)));
    }
    command.addAll(layout.options());
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
    if (canopy != null) {
      canopy.close(); // before the servers: their data ends with them
      canopy = null;
    }
    servers.forEach(ServerProcess::stop);
    servers.forEach(ServerProcess::close);
    servers.clear();
    removeDirectories();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      return; // the hook runs, or has run
    }
  }

  /** Kills the servers: their data ends with this JVM, so they need not leave in order. */
  private synchronized void killServers() {
    for (ServerProcess server : servers) {
      server.handle().destroyForcibly();
      server.handle().onExit().join();
    }
    if (layout.directories() != null && canopy instanceof EmbeddedCanopy own) {
      own.abandon(); // it would go on writing to its directory
    }
    removeDirectories();
  }

  private void removeDirectories() {
    Directories directories = layout.directories();
    if (directories == null) {
      return;
    }
    try {
      directories.remove();
    } catch (IOException e) {
      layout.narrator().say("the nodes' data directories cannot be removed: " + e.getMessage());
    }
  }
}
