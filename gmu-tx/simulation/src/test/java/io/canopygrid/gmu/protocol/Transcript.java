package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands of a scenario that is written as text, one a line, on some nodes whose
 * messages wait on the wire until a command delivers them. The commands are explained in {@code
 * src/test/resources/transcripts/README.md}.
 */
final class Transcript {
  private @Nullable Grid grid;
  private @Nullable TranscriptWords words;
  private final Map<String, Grid.Tx> transactions = new LinkedHashMap<>();
  private final Map<TxId, String> names = new HashMap<>();
  private final Map<String, Long> asked = new HashMap<>();
  private final Map<String, Integer> endingsTold = new HashMap<>();

  /** The text that a block of commands prints. */
  String run(List<String> commands) {
    StringBuilder printed = new StringBuilder();
    for (String command : commands) {
      String text = run(command.trim().split(" +"));
      if (!text.isEmpty()) {
        printed.append(text).append('\n');
      }
    }
    return printed.toString();
  }

  private String run(String[] w) {
    return switch (w[0]) {
      case "grid" -> start(w);
      case "begin" -> begin(w[1], node(w[3]));
      case "get" -> get(w[1], key(w[2]));
      case "ask" -> sentBy(() -> asked.put(w[1], tx(w[1]).ask(new ReadQuery.Get(key(w[2])))));
      case "answer" -> answer(w[1]);
      case "scan" ->
          w[1] + ": " + words().answer(tx(w[1]).scan(grid().kcl(shard(w[2])), w[3], w[4]));
      case "put" -> {
        tx(w[1]).write(key(w[2]), w[3]);
        yield "";
      }
      case "remove" -> {
        tx(w[1]).write(key(w[2]), null);
        yield "";
      }
      case "commit" -> commit(w[1]);
      case "end" -> sentBy(() -> tx(w[1]).end());
      case "deliver" -> deliver(Arrays.copyOfRange(w, 1, w.length));
      case "lose" -> lose(Arrays.copyOfRange(w, 1, w.length));
      case "repeat" -> repeat(Arrays.copyOfRange(w, 1, w.length));
      case "settle" -> settle();
      case "wire" -> grid().wire.isEmpty() ? "the wire is empty" : waiting();
      case "crash" -> {
        grid().crash(node(w[1]));
        yield "";
      }
      case "join" -> "n" + (grid().addNode() + 1) + " has started";
      case "topology" -> topology(w);
      case "tick" -> sentBy(() -> grid().tick());
      case "timeout" -> sentBy(() -> grid().timeOut());
      case "show" -> show(node(w[1]));
      default -> throw new AssertionError("no such command: " + String.join(" ", w));
    };
  }

  private Grid grid() {
    if (grid == null) {
      throw new AssertionError("a transcript begins with: grid nodes=N owners=N");
    }
    return grid;
  }

  private TranscriptWords words() {
    if (words == null) {
      throw new AssertionError("a transcript begins with: grid nodes=N owners=N");
    }
    return words;
  }

  private String start(String[] w) {
    int nodes = Integer.parseInt(value(w, "nodes"));
    int owners = Integer.parseInt(value(w, "owners"));
    ProtocolConfig config = Grid.CONFIG.withFailuresAtOnce(Math.max(1, owners - 1));
    grid =
        new Grid(
            nodes, owners, Fences.NONE, config.withResendNanos(Grid.CONFIG.lockTimeoutNanos()));
    words = new TranscriptWords(grid, tid -> names.getOrDefault(tid, "transaction " + tid));
    List<String> placement = new ArrayList<>();
    for (int s = 0; s < nodes; s++) {
      StringBuilder of = new StringBuilder("s" + s + ": n" + (s + 1) + " is the primary");
      for (int i = 1; i < owners; i++) {
        of.append(i == 1 ? ", replicas at n" : ", n").append((s + i) % nodes + 1);
      }
      placement.add(of.toString());
    }
    return String.join("\n", placement);
  }

  private static String value(String[] w, String name) {
    return Arrays.stream(w)
        .filter(word -> word.startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is missing in: " + String.join(" ", w)));
  }

  private String begin(String name, int node) {
    Grid.Tx tx = grid().begin(node);
    transactions.put(name, tx);
    return "";
  }

  private String get(String name, CompositeKey key) {
    String value = tx(name).get(key);
    return name + ": " + (value == null ? "nothing" : "value " + value);
  }

  private String answer(String name) {
    Long request = asked.remove(name);
    if (request == null) {
      throw new AssertionError(name + " has asked nothing");
    }
    return name + ": " + words().answer(tx(name).answer(request));
  }

  private String commit(String name) {
    Grid.Tx tx = tx(name);
    return sentBy(() -> {
      tx.commit();
      TxId tid = grid().nodes.get(tx.node).attemptOf(tx.handle);
      if (tid != null) {
        names.put(tid, name);
      }
      for (Grid.InFlight message : grid().wire) {
        if (message.message() instanceof Message.Prepare prepare) {
          names.putIfAbsent(prepare.record().tid(), name);
        }
      }
    });
  }

  /** Does something, and prints what it sends and which transactions it ends. */
  private String sentBy(Runnable step) {
    List<Grid.InFlight> before = List.copyOf(grid().wire);
    step.run();
    List<String> lines = new ArrayList<>();
    List<Grid.InFlight> known = new ArrayList<>(before);
    for (Grid.InFlight message : grid().wire) {
      if (!known.remove(message)) {
        lines.add("  sends " + words().sent(message));
      }
    }
    lines.addAll(newOutcomes());
    return String.join("\n", lines);
  }

  private List<String> newOutcomes() {
    List<String> lines = new ArrayList<>();
    transactions.forEach((name, tx) -> {
      List<Effect.Ended> endings = endings(tx);
      for (Effect.Ended ended :
          endings.subList(endingsTold.getOrDefault(name, 0), endings.size())) {
        if (ended.tid() != null) {
          names.put(ended.tid(), name);
        }
        lines.add("  " + name + " is " + words().outcome(ended.outcome()));
      }
      endingsTold.put(name, endings.size());
    });
    return lines;
  }

  /** The endings of a transaction's attempts to commit so far. */
  private List<Effect.Ended> endings(Grid.Tx tx) {
    List<Effect.Ended> endings = new ArrayList<>();
    for (Effect effect : grid().others.get(tx.node)) {
      if (effect instanceof Effect.Ended ended && ended.transaction() == tx.handle) {
        endings.add(ended);
      }
    }
    return endings;
  }

  /** {@code KIND [to nX] [from nX] [all]}. */
  private Predicate<Grid.InFlight> filter(String[] w) {
    Predicate<Grid.InFlight> wanted = message -> true;
    for (int i = 0; i < w.length; i++) {
      String word = w[i];
      if (word.equals("to")) {
        int to = node(w[++i]);
        wanted = wanted.and(message -> message.to() == to);
      } else if (word.equals("from")) {
        int from = node(w[++i]);
        wanted = wanted.and(message -> message.from() == from);
      } else if (!word.equals("all")) {
        wanted = wanted.and(message -> TranscriptWords.kind(message.message()).equals(word));
      }
    }
    return wanted;
  }

  private List<Grid.InFlight> chosen(String[] w) {
    List<Grid.InFlight> fitting = grid().wire.stream().filter(filter(w)).toList();
    if (fitting.isEmpty()) {
      throw new AssertionError("no such message: " + String.join(" ", w) + "\n" + waiting());
    }
    return List.of(w).contains("all") ? fitting : fitting.subList(0, 1);
  }

  private String deliver(String[] w) {
    List<String> lines = new ArrayList<>();
    for (Grid.InFlight message : chosen(w)) {
      lines.add(words().sent(message));
      String sent = sentBy(() -> grid().deliver(message));
      if (!sent.isEmpty()) {
        lines.add(sent);
      }
    }
    return String.join("\n", lines);
  }

  private String lose(String[] w) {
    List<Grid.InFlight> lost = chosen(w);
    lost.forEach(grid().wire::remove);
    return lost.stream().map(m -> "lost: " + words().sent(m)).collect(Collectors.joining("\n"));
  }

  private String repeat(String[] w) {
    List<String> lines = new ArrayList<>();
    for (Grid.InFlight message : chosen(w)) {
      lines.add("a copy of " + words().sent(message));
      String sent = sentBy(() -> grid().hand(message));
      if (!sent.isEmpty()) {
        lines.add(sent);
      }
    }
    return String.join("\n", lines);
  }

  /** Delivers all there is, in the order sent. Only how transactions end is printed. */
  private String settle() {
    grid().settle();
    return String.join("\n", newOutcomes());
  }

  private String waiting() {
    return grid().wire.stream()
        .map(message -> "  waits " + words().sent(message))
        .collect(Collectors.joining("\n"));
  }

  /** {@code topology ID members n1,n3 s0=n1,n3 s1=n3+n1 ...}: learners come after a plus. */
  private String topology(String[] w) {
    List<NodeId> members = ids(w[3]);
    List<Topology.Placement> placements = new ArrayList<>();
    for (int s = 0; s < grid().shards; s++) {
      String[] holders = value(w, "s" + s).split("\\+", -1);
      placements.add(
          new Topology.Placement(
              ids(holders[0]), holders.length > 1 ? ids(holders[1]) : List.of()));
    }
    List<NodeId> learners =
        Arrays.stream(w)
            .filter(word -> word.startsWith("top+"))
            .findFirst()
            .map(word -> ids(word.substring(4)))
            .orElse(List.of());
    List<NodeId> top = members.stream().filter(member -> !learners.contains(member)).toList();
    placements.add(new Topology.Placement(top, learners));
    Topology next = new Topology(Long.parseLong(w[1]), members, placements);
    return sentBy(() -> grid().install(next));
  }

  private static List<NodeId> ids(String list) {
    return list.isEmpty()
        ? List.of()
        : Arrays.stream(list.split(",", -1)).map(name -> Grid.id(node(name))).toList();
  }

  private String show(int node) {
    ProtocolStatus status = grid().nodes.get(node).status();
    List<String> lines = new ArrayList<>();
    for (ProtocolStatus.Shard shard : status.shards()) {
      if (shard.shard() < grid().shards) {
        lines.add(
            "n%d s%d: %s, %d records, %d queued, %d locked, %d waiting, %d in the log"
                .formatted(
                    node + 1,
                    shard.shard(),
                    role(shard),
                    shard.records(),
                    shard.queued(),
                    shard.locked(),
                    shard.waiting() + shard.reading(),
                    shard.logged()));
      }
    }
    return String.join("\n", lines);
  }

  private static String role(ProtocolStatus.Shard shard) {
    if (!shard.synced()) {
      return "learner";
    }
    return !shard.primary() ? "replica" : shard.serving() ? "primary" : "primary, not serving";
  }

  private Grid.Tx tx(String name) {
    Grid.Tx tx = transactions.get(name);
    if (tx == null) {
      throw new AssertionError("no transaction " + name);
    }
    return tx;
  }

  private CompositeKey key(String text) {
    String[] parts = text.split("/", 2);
    return grid().key(shard(parts[0]), parts[1]);
  }

  private static int node(String name) {
    return Integer.parseInt(name.substring(1)) - 1;
  }

  private static int shard(String name) {
    return Integer.parseInt(name.substring(1));
  }
}
