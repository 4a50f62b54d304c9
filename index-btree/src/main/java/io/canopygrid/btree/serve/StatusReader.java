package io.canopygrid.btree.serve;

import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.btree.structure.Balance;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.ZoneSpread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds out what a grid is like now. It goes by what the node can reach, and asks no shard: so it
 * tells the state also of a grid that refuses everything. Thread-safe.
 */
public final class StatusReader {
  /** Stands for a release or an address that is not known. */
  private static final String UNKNOWN = "-";

  private final GmuNode node;
  private final Balance balance;
  private final GridAnswers answers;

  private final long sinceNanos;

  private volatile Supplier<NodeFacts> own;
  private volatile Supplier<ClientFacts> clients;

  /** The status as a node sees it, which tells the others about itself from now on. */
  public StatusReader(GmuNode node, NodeQuestions questions, Balance balance) {
    this.node = node;
    this.balance = balance;
    this.answers = new GridAnswers(node, questions);
    this.sinceNanos = node.threads().nanoTime();
    this.own = () -> facts(UNKNOWN, node.isReady());
    questions.serve(
        NodeQuestions.Kind.FACTS, (question, answer) -> answer.accept(own.get().encode()));
    this.clients = () -> ClientFacts.none(node.self(), oldestTransaction());
    questions.serve(
        NodeQuestions.Kind.TRANSACTIONS,
        (question, answer) -> answer.accept(clients.get().encode()));
    questions.serve(NodeQuestions.Kind.DATA, (question, answer) -> tellData(answer));
  }

  /** Tells it on another thread where a file system must be asked, which may take long. */
  private void tellData(Consumer<byte[]> answer) {
    if (node.dataPlace().directory() == null) {
      answer.accept(ownData().encode());
    } else {
      ForkJoinPool.commonPool().execute(() -> answer.accept(ownData().encode()));
    }
  }

  /** The place of this node's data. */
  DataFacts ownData() {
    return DataFacts.of(node.self(), node.dataPlace());
  }

  /** The places of the data of all members that answer in a bounded time, this one first. */
  List<DataFacts> data() {
    List<DataFacts> data = new ArrayList<>();
    data.add(ownData());
    for (byte[] answer : answers.ofAll(NodeQuestions.Kind.DATA, new byte[0]).answers()) {
      data.add(DataFacts.decode(answer));
    }
    return data;
  }

  /**
   * The node is one of a server, of this release, with clients; it tells the others from now on
   * what their transactions did.
   */
  void serve(String version, BooleanSupplier ready, Supplier<ClientFacts> counts) {
    own = () -> facts(version, ready.getAsBoolean());
    clients = counts;
  }

  /** For how long the oldest transaction has been running that began at this node. */
  Duration oldestTransaction() {
    return Duration.ofNanos(node.oldestTransactionNanos());
  }

  /** The transactions of clients at all other members that answer in a bounded time. */
  List<ClientFacts> clientsElsewhere() {
    return answers.ofAll(NodeQuestions.Kind.TRANSACTIONS, new byte[0]).answers().stream()
        .map(ClientFacts::decode)
        .toList();
  }

  private NodeFacts facts(String version, boolean ready) {
    Runtime jvm = Runtime.getRuntime();
    return new NodeFacts(
        node.self(),
        version,
        TimeUnit.NANOSECONDS.toMillis(node.threads().nanoTime() - sinceNanos),
        jvm.totalMemory() - jvm.freeMemory(),
        jvm.maxMemory(),
        ready);
  }

  /** The members, oldest first. */
  List<GridMember> members() {
    Topology topology = node.topology();
    GridView view = node.view();
    List<GridMember> members = new ArrayList<>();
    for (NodeId member : topology.members()) {
      int primary = 0;
      int owned = 0;
      for (int shard = 0; shard < topology.top(); shard++) {
        List<NodeId> owners = topology.shard(shard).owners();
        primary += !owners.isEmpty() && owners.get(0).equals(member) ? 1 : 0;
        owned += owners.contains(member) ? 1 : 0;
      }
      // A topology that came between the two looks has members that the view does not know yet.
      GridView.Member seen =
          view.find(member)
              .orElseGet(() -> new GridView.Member(member, member.toString(), UNKNOWN, "", true));
      members.add(
          new GridMember(
              member.toString(), seen.name(), seen.address(), seen.reachable(), primary, owned));
    }
    return members;
  }

  /** Where the members are, by what they say. */
  ZoneFacts zones() {
    GridView view = node.view();
    Map<String, String> zones = new HashMap<>();
    view.members().stream()
        .filter(member -> !member.zone().isEmpty())
        .forEach(member -> zones.put(member.node().toString(), member.zone()));
    ZoneSpread spread =
        ZoneSpread.of(
            node.topology(),
            view.owners(),
            member -> view.find(member).map(GridView.Member::zone).orElse(""));
    return new ZoneFacts(spread.text(), zones);
  }

  /** Why this node is not ready, or TOP does not answer it, in words. */
  String obstacle() {
    GridView view = node.view();
    if (!view.available()) {
      String lost =
          view.members().stream()
              .filter(member -> !member.reachable())
              .map(GridView.Member::name)
              .collect(Collectors.joining(", "));
      return "half of the members, or all that have a shard, were lost at once; these do not answer: "
          + (lost.isEmpty() ? "none" : lost);
    }
    return node.isReady() ? "TOP does not answer" : "taking over";
  }

  /** The releases of the members that answer in a bounded time; {@code -} of the others. */
  public Function<NodeId, String> releases() {
    Map<NodeId, String> releases = new HashMap<>();
    facts().forEach((node, told) -> releases.put(node, told.version()));
    return member -> releases.getOrDefault(member, UNKNOWN);
  }

  private Map<NodeId, NodeFacts> facts() {
    Map<NodeId, NodeFacts> facts = new HashMap<>();
    facts.put(node.self(), own.get());
    for (byte[] answer : answers.ofAll(NodeQuestions.Kind.FACTS, new byte[0]).answers()) {
      NodeFacts told = NodeFacts.decode(answer);
      facts.put(told.node(), told);
    }
    return facts;
  }

  /** The whole status; waits for the answers of the other nodes for a bounded time. */
  GridStatus read(boolean ready) {
    Map<String, NodeFacts> facts = new HashMap<>();
    facts().forEach((member, told) -> facts.put(member.toString(), told));
    GridView view = node.view();
    List<GridStatus.Node> members =
        members().stream()
            .map(member -> new GridStatus.Node(member, facts.get(member.node())))
            .toList();
    return new GridStatus(
        node.self().toString(),
        node.topology().id(),
        node.shardMap().shards(),
        view.owners(),
        ready,
        view.strangers().size(),
        members,
        indexes());
  }

  private List<GridStatus.IndexSize> indexes() {
    SortedMap<String, CatalogEntry> entries = Catalog.copyIn(node.top());
    Map<Integer, Balance.Size> sizes = balance.sizes();
    List<GridStatus.IndexSize> indexes = new ArrayList<>();
    entries.forEach((name, entry) -> {
      if (!Catalog.isOfSystem(name)) {
        Balance.Size size = sizes.getOrDefault(entry.number(), Balance.Size.NOTHING);
        indexes.add(new GridStatus.IndexSize(name, size.entries(), size.complete()));
      }
    });
    return indexes;
  }
}
