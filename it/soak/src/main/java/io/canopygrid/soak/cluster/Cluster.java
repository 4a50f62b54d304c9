package io.canopygrid.soak.cluster;

import io.canopygrid.Durability;
import io.canopygrid.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Some nodes, each a JVM of its own, that form one cluster over TCP. Confined to a thread. */
public final class Cluster implements AutoCloseable {
  private static final Duration JOIN_LIMIT = Duration.ofMinutes(5);
  private static final int SPARE_PORTS = 3;
  private static final long STORED_FAILURE_MILLIS = 2_000;
  private static final int REHEARSAL_TRANSACTIONS = 20_000;

  /**
   * Also where the JVM of a test has one compiler: nodes that run for long are as servers are, and
   * the second compiler's code is a part of what is tested.
   */
  private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

  private static final List<String> LOGS =
      List.of("-Dcanopy.debug=io.canopygrid.gmu.infinispan.TopologyInstaller");

  private final List<NodeHandle> nodes = new ArrayList<>();
  private final Deque<String> places = new ArrayDeque<>();
  private final Site site;
  private final Path directory;
  private final Command join;
  private final List<String> jvmOptions;
  private final boolean stored;
  private int started;

  private Cluster(
      Site site,
      int size,
      Path directory,
      long baseNanos,
      Map<String, Object> more,
      List<String> jvmOptions)
      throws IOException {
    this.site = site;
    this.directory = directory;
    this.jvmOptions = new ArrayList<>(LOGS);
    this.jvmOptions.addAll(jvmOptions);
    this.stored = more.containsKey("data");
    places.addAll(site.places(size + (stored ? 1 : SPARE_PORTS)));
    Command command =
        Command.of("join")
            .with("cluster", "it-" + places.element().replace(':', '-'))
            .with("members", String.join(",", places))
            .with("base", baseNanos);
    for (Map.Entry<String, Object> setting : more.entrySet()) {
      command = command.with(setting.getKey(), setting.getValue());
    }
    this.join = command;
  }

  /**
   * Starts nodes {@code n1}, {@code n2}, … one after the other, and returns when all have joined.
   *
   * @param directory for their logs
   * @param baseNanos the {@link System#nanoTime} that is time 0 in their histories
   */
  public static Cluster start(int size, Path directory, long baseNanos) throws IOException {
    List<String> options = List.of(BOTH_COMPILERS);
    return new Cluster(new LocalSite(Map.of(), null), size, directory, baseNanos, Map.of(), options)
        .started(size);
  }

  /** The same with the garbage collector that servers have by default, whose pauses are short. */
  public static Cluster startAsServers(int size, Path directory, long baseNanos)
      throws IOException {
    List<String> options = List.of("-XX:-UseSerialGC", "-XX:+UseG1GC", BOTH_COMPILERS);
    return new Cluster(new LocalSite(Map.of(), null), size, directory, baseNanos, Map.of(), options)
        .started(size);
  }

  /**
   * The same with nodes that do not balance: nothing moves by itself while requests are counted.
   */
  public static Cluster unbalanced(int size, Path directory, long baseNanos) throws IOException {
    Map<String, Object> settings = Map.of("balance", false);
    return new Cluster(
            new LocalSite(Map.of(), null), size, directory, baseNanos, settings, List.of())
        .started(size);
  }

  /**
   * The same with a network that can be made bad ({@link FaultyLink}).
   *
   * @param failureTimeout after which a silent node is taken for dead
   * @param transactionTimeout after which a client gives a transaction up
   */
  public static Cluster breakable(
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Path directory,
      long baseNanos)
      throws IOException {
    return breakable(
        size, shards, failureTimeout, transactionTimeout, Placement.EVEN, directory, baseNanos);
  }

  /** The same with a placement that is named. */
  public static Cluster breakable(
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Placement placement,
      Path directory,
      long baseNanos)
      throws IOException {
    return breakable(
        new LocalSite(Map.of(), null),
        size,
        shards,
        failureTimeout,
        transactionTimeout,
        placement,
        directory,
        baseNanos);
  }

  /** The same with processes of a site. */
  public static Cluster breakable(
      LocalSite site,
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Placement placement,
      Path directory,
      long baseNanos)
      throws IOException {
    return at(
        site,
        size,
        shards,
        failureTimeout,
        transactionTimeout,
        directory,
        baseNanos,
        Map.of("stack", directory.resolve("stack.xml"), "placement", placement));
  }

  /** The same with nodes that keep their data on disk, as {@link #stored} has them. */
  public static Cluster breakableStored(
      LocalSite site,
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Placement placement,
      Durability durability,
      Path directory,
      long baseNanos)
      throws IOException {
    return at(
        site,
        size,
        shards,
        failureTimeout,
        transactionTimeout,
        directory,
        baseNanos,
        Map.of(
            "stack",
            directory.resolve("stack.xml"),
            "placement",
            placement,
            "data",
            disks(directory),
            "durability",
            durability));
  }

  /** The same elsewhere, with a network that the site makes bad where it can. */
  public static Cluster at(
      Site site,
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Path directory,
      long baseNanos)
      throws IOException {
    return at(
        site, size, shards, failureTimeout, transactionTimeout, directory, baseNanos, Map.of());
  }

  /**
   * The same with nodes that keep their data on disk. A node that is {@linkplain #forget forgotten}
   * leaves its disk to the next one that is prepared.
   *
   * @param directory also for the data
   */
  public static Cluster stored(
      int size,
      int shards,
      Durability durability,
      Duration transactionTimeout,
      Path directory,
      long baseNanos)
      throws IOException {
    return stored(size, shards, durability, transactionTimeout, directory, baseNanos, Map.of());
  }

  /**
   * The same with something in the environment of the processes.
   *
   * @see #disks
   */
  public static Cluster stored(
      int size,
      int shards,
      Durability durability,
      Duration transactionTimeout,
      Path directory,
      long baseNanos,
      Map<String, String> environment)
      throws IOException {
    Map<String, Object> settings =
        Map.of(
            "shards",
            shards,
            "failureTimeout",
            STORED_FAILURE_MILLIS,
            "data",
            disks(directory),
            "durability",
            durability);
    List<String> options = faulty(transactionTimeout);
    return new Cluster(
            new LocalSite(environment, null), size, directory, baseNanos, settings, options)
        .started(size);
  }

  /**
   * The directory that has a directory for the data of each node, which is named as the node's
   * port.
   *
   * @param directory of the cluster
   */
  public static Path disks(Path directory) {
    return directory.resolve("data");
  }

  private static Cluster at(
      Site site,
      int size,
      int shards,
      Duration failureTimeout,
      Duration transactionTimeout,
      Path directory,
      long baseNanos,
      Map<String, Object> more)
      throws IOException {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("shards", shards);
    settings.put("failureTimeout", failureTimeout.toMillis());
    return new Cluster(site, size, directory, baseNanos, settings, faulty(transactionTimeout))
        .started(size);
  }

  /** The options of nodes to which something happens. */
  private static List<String> faulty(Duration transactionTimeout) {
    return List.of("-Dcanopy.it.timeoutMillis=" + transactionTimeout.toMillis(), Rests.option());
  }

  private Cluster started(int size) throws IOException {
    try {
      for (int i = 0; i < size; i++) {
        add();
      }
      return this;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts one more node, and returns when it has joined. */
  public NodeHandle add() throws IOException {
    NodeHandle node = prepare();
    join(node);
    return node;
  }

  /** Starts the process of one more node, which does nothing until it is let {@link #join}. */
  public NodeHandle prepare() throws IOException {
    NodeHandle node =
        NodeHandle.start(site, "n" + ++started, places.remove(), directory, jvmOptions);
    nodes.add(node);
    return node;
  }

  /** Lets a node that was prepared work alone for a while, so that it does not join cold. */
  public void rehearse(NodeHandle node) {
    node.ask(
        join.as("rehearse")
            .with("cluster", "rehearsal")
            .with("place", node.place())
            .with("members", node.place())
            .with("transactions", REHEARSAL_TRANSACTIONS),
        JOIN_LIMIT);
  }

  /** Returns when a node that was prepared has joined. */
  public void join(NodeHandle node) {
    node.ask(join.with("place", node.place()), JOIN_LIMIT);
  }

  /** Returns when nodes that were prepared have joined, all at the same time. */
  public void joinAll(List<NodeHandle> prepared) {
    beginToJoin(prepared);
    prepared.forEach(node -> node.answer(JOIN_LIMIT));
  }

  /** Lets nodes that were prepared join, and waits for nothing. */
  public void beginToJoin(List<NodeHandle> prepared) {
    prepared.forEach(node -> node.send(join.with("place", node.place())));
  }

  /** Forgets a node whose process has ended. */
  public void forget(NodeHandle node) {
    if (!nodes.remove(node)) {
      throw new IllegalArgumentException("no node of this cluster: " + node.name());
    }
    if (stored) {
      // The next node takes the disk.
      places.addFirst(node.place());
    } else {
      places.addLast(node.place());
    }
  }

  /** Removes all that a node that is forgotten has had on its disk. */
  public void emptyDisk(NodeHandle node) throws IOException {
    Path disk = disks(directory).resolve(Integer.toString(node.port()));
    List<Path> all;
    try (Stream<Path> found = Files.walk(disk)) {
      all = found.filter(path -> !path.equals(disk)).sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  /** The nodes that were started and not forgotten; a copy. */
  public List<NodeHandle> nodes() {
    return List.copyOf(nodes);
  }

  int size() {
    return nodes.size();
  }

  List<String> names() {
    return nodes.stream().map(NodeHandle::name).toList();
  }

  /** Sends a command to one node; its answer. */
  public Command ask(int node, Command command, Duration limit) {
    return nodes.get(node).ask(command, limit);
  }

  /** Sends a command to all nodes, which work on it at the same time; their answers. */
  public List<Command> askAll(Command command, Duration limit) {
    return askEach(nodes.stream().map(node -> command).toList(), limit);
  }

  /** Sends each node a command of its own; their answers. */
  public List<Command> askEach(List<Command> commands, Duration limit) {
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
