package io.canopygrid.soak.cluster;

import io.canopygrid.Balancing;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.FoundingPolicy;
import io.canopygrid.Index;
import io.canopygrid.Placement;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.history.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The main class of a node's JVM: does what it is told, line by line, until its input ends. */
final class NodeProcess {
  /**
   * The serial collector compacts the heap in one of so many full collections; the others leave
   * some dead objects where they are.
   */
  private static final int COMPACTION_EVERY = 4;

  /** A cold JVM on a machine where all others work takes its time. */
  private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

  /** Longer than any lock is held. */
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(15);

  private final String name;
  private final PrintStream answers;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable EmbeddedCanopy db;
  private @Nullable Churn churn;
  private @Nullable SteadyLoad load;
  private @Nullable RandomReshaping carver;
  private final Map<String, HistoryRun> runs = new HashMap<>();
  private final Map<String, BankRun> banks = new HashMap<>();
  private long baseNanos;
  private Placement placement = Placement.EVEN;

  private NodeProcess(String name, PrintStream answers) {
    this.name = name;
    this.answers = answers;
  }

  /**
   * Runs a node.
   *
   * @param args its name
   */
  public static void main(String[] args) throws InterruptedException {
    PrintStream answers = System.out;
    // The output of libraries goes to standard error, since standard output is for answers.
    System.setOut(System.err);
    NodeProcess node = new NodeProcess(args[0], answers);
    Thread input = new Thread(node::readCommands, "commands");
    input.setDaemon(true);
    input.start();
    node.work();
  }

  private void readCommands() {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        commands.add(Command.parse(line));
      }
    } catch (IOException e) {
      System.err.println("no more commands: " + e);
    }
    // The test is over or dead. A node in the middle of something does not outlive it.
    commands.clear();
    commands.add(Command.of("end"));
    try {
      ended.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }

  private void work() throws InterruptedException {
    for (Command command = commands.take();
        !command.word().equals("end");
        command = commands.take()) {
      try {
        answers.println(execute(command));
      } catch (IOException | RuntimeException | Error e) {
        e.printStackTrace();
        answers.println(Command.of("failed").with("error", e.toString().replace('\n', ' ')));
      }
      answers.flush();
    }
    if (db != null) {
      db.close();
    }
    ended.countDown();
    Runtime.getRuntime().halt(0);
  }

  private Command execute(Command command) throws IOException, InterruptedException {
    return switch (command.word()) {
      case "join" -> join(command);
      case "rehearse" -> rehearse(command);
      case "history" -> history(command);
      case "bank" -> bank(command);
      case "start" -> start(command);
      case "stop" -> stop(command);
      case "total" -> bank(command.text("index")).total();
      case "sequence" -> sequence(command);
      case "churn" -> churn(command);
      case "load" -> load(command);
      case "carve" -> carve(command);
      case "share" -> share(command);
      case "watch" -> watch(command);
      case "network" -> network(command);
      case "pressure" -> pressure(command);
      case "vitals" -> vitals();
      case "whole" -> whole(command);
      case "fill" -> fill(command);
      case "touch" -> touch(command);
      case "stats" -> stats();
      case "check" -> check(command);
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  private EmbeddedCanopy open() {
    if (db == null) {
      throw new IllegalStateException("the node has not joined");
    }
    return db;
  }

  private Command join(Command command) throws IOException {
    baseNanos = command.number("base");
    placement = placement(command);
    db = EmbeddedCanopy.join(config(command));
    return Command.of("ok");
  }

  /**
   * Works alone for a while and leaves, so that later measurements do not contain the loading of
   * classes.
   */
  private static Command rehearse(Command command) throws IOException {
    try (EmbeddedCanopy alone = EmbeddedCanopy.join(config(command))) {
      Index<Long, Long> index = alone.index("rehearsal", Codec.int64(), Codec.int64());
      for (long i = 0; i < command.number("transactions"); i++) {
        long key = i;
        alone.run(tx -> tx.on(index).put(key, key));
      }
    }
    return Command.of("ok");
  }

  private static ClusterConfig config(Command command) throws IOException {
    String place = command.text("place");
    int colon = place.lastIndexOf(':');
    ClusterConfig config =
        ClusterConfig.of(command.text("cluster"))
            .bindAddress(place.substring(0, colon))
            .port(Integer.parseInt(place.substring(colon + 1)))
            .members(List.of(command.text("members").split(",", -1)))
            // The driver starts the first node before the machines of the others are there.
            .found(FoundingPolicy.ALWAYS)
            .joinTimeout(JOIN_TIMEOUT);
    if (command.has("shards")) {
      config =
          config
              .shards(command.integer("shards"))
              .failureTimeout(Duration.ofMillis(command.number("failureTimeout")));
    }
    boolean balances = !command.has("balance") || Boolean.parseBoolean(command.text("balance"));
    config = config.balancing(Balancing.DEFAULTS.enabled(balances).placement(placement(command)));
    if (command.has("data")) {
      config =
          config
              .dataDirectory(Path.of(command.text("data"), place.substring(colon + 1)))
              .durability(Durability.valueOf(command.text("durability")));
    }
    String identity = System.getProperty(NodeHandle.IDENTITY);
    if (identity != null) {
      config = config.identity(Path.of(identity));
    }
    if (command.has("stack")) {
      config = config.stack(FaultyStack.write(Path.of(command.text("stack"))));
    }
    return config;
  }

  private static Placement placement(Command command) {
    return command.has("placement") ? Placement.valueOf(command.text("placement")) : Placement.EVEN;
  }

  /** Starts clients that run until they are stopped. */
  private Command start(Command command) throws IOException {
    String index = command.text("index");
    if (command.text("workload").equals("bank")) {
      BankRun run = new BankRun(open(), command);
      banks.put(index, run);
      run.start();
    } else {
      HistoryRun run = new HistoryRun(open(), name, placement, baseNanos, command);
      runs.put(index, run);
      run.start();
    }
    return Command.of("ok");
  }

  private Command stop(Command command) throws IOException, InterruptedException {
    String index = command.text("index");
    HistoryRun run = runs.remove(index);
    return run != null ? run.stop() : bank(index).stop();
  }

  private BankRun bank(String index) {
    BankRun run = banks.get(index);
    if (run == null) {
      throw new IllegalArgumentException("no clients use index " + index);
    }
    return run;
  }

  private Command bank(Command command) throws InterruptedException {
    BankRun run = new BankRun(open(), command);
    if (command.integer("open") == 1) {
      return run.open();
    }
    run.start();
    return run.await().with("total", run.total().number("total"));
  }

  private Command sequence(Command command) throws IOException, InterruptedException {
    SequenceRun run = new SequenceRun(open(), command);
    return switch (command.text("how")) {
      case "open" -> run.open();
      case "start" -> run.start();
      case "look" -> run.look();
      case "after" -> run.after();
      default -> throw new IllegalArgumentException("unknown way: " + command);
    };
  }

  private Command churn(Command command) throws InterruptedException {
    Churn known = churn;
    if (known == null) {
      known = new Churn(open(), command);
      churn = known;
    }
    return switch (command.text("how")) {
      case "fill" -> known.fill();
      case "start" -> known.start();
      case "stop" -> known.stop();
      case "hold" -> known.hold();
      case "release" -> known.release();
      default -> throw new IllegalArgumentException("unknown way: " + command);
    };
  }

  private Command load(Command command) throws InterruptedException {
    SteadyLoad known = load;
    if (known == null) {
      known = new SteadyLoad(open(), command);
      load = known;
    }
    return switch (command.text("how")) {
      case "start" -> known.start();
      case "report" -> known.report();
      case "stop" -> known.stop();
      default -> throw new IllegalArgumentException("unknown way: " + command);
    };
  }

  private Command carve(Command command) throws InterruptedException {
    if (command.text("how").equals("start")) {
      RandomReshaping started = new RandomReshaping(open(), command);
      carver = started;
      return started.start();
    }
    RandomReshaping known = carver;
    if (known == null) {
      throw new IllegalStateException("nothing is carved");
    }
    carver = null;
    return known.stop();
  }

  /** The parts of the grid and of an index that are at this node. */
  private Command share(Command command) {
    EmbeddedCanopy canopy = open();
    Index<?, ?> index = canopy.index(command.text("index"), Codec.int64(), LongsCodec.INSTANCE);
    return Command.of("ok")
        .with("owned", canopy.ownedShards())
        .with("primary", canopy.primaryShards())
        .with("copies", canopy.copies(index));
  }

  private Command watch(Command command) throws IOException {
    ShardWatch.start(open(), command, baseNanos);
    return Command.of("ok");
  }

  private static Command network(Command command) {
    Set<Integer> deafTo =
        Arrays.stream(command.text("deafTo").split(",", -1))
            .filter(port -> !port.isEmpty())
            .map(Integer::valueOf)
            .collect(Collectors.toSet());
    FaultyLink.set(new FaultyLink.State(deafTo, command.integer("loss"), command.integer("delay")));
    return Command.of("ok");
  }

  /** Holds most of the heap that is free for a while, as a leak or a burst does. */
  private static Command pressure(Command command) throws InterruptedException {
    List<byte[]> held = new ArrayList<>();
    Runtime runtime = Runtime.getRuntime();
    long keepFree = runtime.maxMemory() / 8;
    while (runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory() > keepFree) {
      held.add(new byte[1 << 20]);
    }
    Thread.sleep(command.number("millis"));
    return Command.of("ok").with("megabytes", held.size());
  }

  /** Whether the cluster has so many members and all shards serve. */
  private Command whole(Command command) {
    EmbeddedCanopy canopy = open();
    String why = "";
    if (canopy.members() != command.integer("members")) {
      why = canopy.members() + " members";
    }
    for (int shard = 0; why.isEmpty() && shard < canopy.shards(); shard++) {
      ErrorCode error = probe(canopy, shard);
      why = error == null ? "" : "shard " + shard + ": " + error;
    }
    return Command.of("ok").with("whole", why.isEmpty() ? 1 : 0).with("why", "-" + why);
  }

  /**
   * The probes of a shard meet at one key, and machines are busy: a probe that is refused tries
   * again.
   */
  private static @Nullable ErrorCode probe(EmbeddedCanopy canopy, int shard) {
    long deadline = System.nanoTime() + PROBE_LIMIT.toNanos();
    for (; ; ) {
      try {
        canopy.probe(shard, PROBE_TIMEOUT);
        return null;
      } catch (CanopyException e) {
        boolean passes = e.code() == ErrorCode.LOCK_TIMEOUT || e.code() == ErrorCode.TIMEOUT;
        if (!passes || System.nanoTime() - deadline > 0) {
          return e.code();
        }
      }
    }
  }

  /** Measures that must not grow for ever. */
  private Command vitals() {
    for (int i = 0; i < COMPACTION_EVERY; i++) {
      System.gc();
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    return Command.of("ok")
        .with("heap", memory.getHeapMemoryUsage().getUsed())
        .with("threads", ManagementFactory.getThreadMXBean().getThreadCount())
        .with("oldest", open().oldestTransaction().toSeconds())
        .with("members", open().members());
  }

  private Command history(Command command) throws IOException, InterruptedException {
    HistoryRun run = new HistoryRun(open(), name, placement, baseNanos, command);
    if (command.integer("final") == 1) {
      return run.readAll();
    }
    run.start();
    return run.await();
  }

  /** Fills an index with so many entries, each in a transaction of its own. */
  private Command fill(Command command) {
    Canopy canopy = open();
    Index<Long, Long> index = canopy.index(command.text("index"), Codec.int64(), Codec.int64());
    for (long key = 0; key < command.number("entries"); key++) {
      long one = key;
      canopy.run(tx -> tx.on(index).put(one, one));
    }
    return Command.of("ok");
  }

  /** Reads or writes one key in a transaction of its own; the remote requests of that. */
  private Command touch(Command command) {
    Canopy canopy = open();
    Index<Long, Long> index = canopy.index(command.text("index"), Codec.int64(), Codec.int64());
    long key = command.number("key");
    CanopyStats.TransactionStats before = canopy.stats().total();
    boolean found = true;
    switch (command.text("how")) {
      case "get" -> found = canopy.read(tx -> tx.on(index).get(key) != null);
      case "put" -> canopy.run(tx -> tx.on(index).put(key, key));
      case "compute" -> canopy.run(tx -> tx.on(index).compute(key, (k, v) -> k));
      default -> throw new IllegalArgumentException("unknown way: " + command);
    }
    CanopyStats.TransactionStats after = canopy.stats().total();
    return Command.of("ok")
        .with("found", found)
        .with("remoteRequests", after.remoteRequests() - before.remoteRequests())
        .with("redirects", after.redirects() - before.redirects());
  }

  /** Checks the structure of an index of lists; what was found, and how much of it is here. */
  private Command check(Command command) {
    EmbeddedCanopy canopy = open();
    Codec<?> keys =
        Workload.valueOf(command.text("workload")) == Workload.INDEX_SCAN
            ? Codec.int64()
            : Codec.int32();
    Index<?, long[]> index = canopy.index(command.text("index"), keys, LongsCodec.INSTANCE);
    IndexCheck.Report report = canopy.check(index, Duration.ofSeconds(30));
    return Command.of("ok")
        .with("entries", report.entries())
        .with("subtrees", report.subtrees())
        .with("closing", report.closing())
        .with("copies", canopy.copies(index));
  }

  private Command stats() {
    CanopyStats stats = open().stats();
    return Command.of("ok")
        .with("commits", stats.total().commits())
        .with("attempts", stats.total().attempts())
        .with("remoteRequests", stats.total().remoteRequests())
        .with("redirects", stats.total().redirects())
        .with("aborts", stats.total().abortsOfAllCodes())
        .with("splits", sum(stats, CanopyStats.IndexStats::splits));
  }

  private static long sum(CanopyStats stats, ToLongFunction<CanopyStats.IndexStats> count) {
    return stats.byIndex().values().stream().mapToLong(count).sum();
  }
}
