package io.canopygrid.gmu.simulation;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.CallTable;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.Transport;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A grid of several nodes in this JVM: fixed owners, messages carried by a few threads. Shard s is
 * on the nodes s, s + 1, … (modulo their number), TOP on all. Closing it closes the nodes.
 */
public final class InProcessNetwork implements AutoCloseable {
  private static final int CARRIERS = 3;

  private final List<HostedNode> nodes = new ArrayList<>();
  private final Map<NodeId, HostedNode> byId = new ConcurrentHashMap<>();
  private final ExecutorService carriers;
  private final Map<NodeId, CallTable> calls = new ConcurrentHashMap<>();
  private final Set<NodeId> cutOff = ConcurrentHashMap.newKeySet();

  private InProcessNetwork() {
    carriers =
        new ThreadPoolExecutor(
            CARRIERS,
            CARRIERS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "in-process-network");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy()); // what is sent after the end is lost
  }

  private void add(HostedNode node) {
    nodes.add(node);
    byId.put(node.self(), node);
  }

  /** Starts a grid. */
  public static InProcessNetwork start(
      int size,
      int owners,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores,
      Fences fences) {
    // The nodes end one after the other and nobody takes over: what is under way then never ends.
    NodeSettings noDrain = new NodeSettings(settings.protocol(), settings.tickMillis(), 0);
    InProcessNetwork network = new InProcessNetwork();
    for (int i = 0; i < size; i++) {
      NodeId id = new NodeId(i + 1L);
      network.add(
          new HostedNode(id, shardMap, noDrain, stores, fences, network.from(id), NodeHost.NONE));
    }
    Topology topology = topology(1, size, owners, shardMap);
    network.nodes.forEach(node -> node.install(topology));
    return network;
  }

  /**
   * Starts a grid of nodes with disks: founded from them where they have one, and otherwise as
   * {@link #start}. Node i has disk i.
   *
   * @throws IllegalStateException the grid cannot be founded from these disks
   */
  public static InProcessNetwork startStored(
      List<Storage> disks,
      Durability durability,
      int owners,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores) {
    return startStored(
        disks.stream().map(disk -> new NodeStorage(disk, durability)).toList(),
        owners,
        shardMap,
        settings,
        stores);
  }

  /** The same with disks of which more is said. */
  public static InProcessNetwork startStored(
      List<NodeStorage> disks,
      int owners,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores) {
    List<Recovered> content =
        disks.stream()
            .map(disk -> disk.storage().recovered(shard -> shard == shardMap.top()))
            .toList();
    int lives = content.stream().mapToInt(each -> each.users().size()).max().orElse(0);
    List<Standing> standings = new ArrayList<>();
    for (int i = 0; i < disks.size(); i++) {
      standings.add(Standing.of(new DiskId(i + 1L), null, content.get(i)));
    }
    RecoveryDecision.Answer answer =
        RecoveryDecision.of(standings, settings.protocol().failuresAtOnce());
    if (answer instanceof RecoveryDecision.Waits waits) {
      throw new IllegalStateException("disks are missing: " + waits);
    }
    InProcessNetwork network = new InProcessNetwork();
    for (int i = 0; i < disks.size(); i++) {
      NodeId id = new NodeId((long) lives * disks.size() + i + 1);
      network.add(
          new HostedNode(
              id,
              shardMap,
              settings,
              stores,
              Fences.NONE,
              network.from(id),
              NodeHost.NONE,
              disks.get(i)));
    }
    Topology topology =
        answer instanceof RecoveryDecision.Founded founded
            ? network.founding(founded)
            : topology(1, disks.size(), owners, shardMap);
    if (answer instanceof RecoveryDecision.Founded founded) {
      VectorClock kept = founded.cut();
      Cut cut = kept == null ? null : new Cut(topology.id(), kept);
      GridFounding founding = new GridFounding(topology.id(), founded.over(), founded.seen(), cut);
      for (int i = 0; i < content.size(); i++) {
        Recovered closed = content.get(i);
        network
            .nodes
            .get(i)
            .founds(founding, cut == null ? closed : disks.get(i).opened(closed, Long.MAX_VALUE));
      }
    }
    network.nodes.forEach(node -> node.install(topology));
    return network;
  }

  private Topology founding(RecoveryDecision.Founded founded) {
    return new Topology(
        founded.newest().id() + 1,
        ids(founded.members()),
        founded.owners().stream()
            .map(owners -> new Topology.Placement(ids(owners), List.of()))
            .toList());
  }

  private List<NodeId> ids(List<DiskId> disks) {
    return disks.stream().map(disk -> nodes.get((int) disk.value() - 1).self()).toList();
  }

  /** That topology of so many nodes. */
  public static Topology topology(long id, int size, int owners, ShardMap shardMap) {
    List<NodeId> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      members.add(new NodeId(i + 1L));
    }
    List<Topology.Placement> shards = new ArrayList<>();
    for (int shard = 0; shard < shardMap.shards(); shard++) {
      List<NodeId> of = new ArrayList<>();
      for (int i = 0; i < Math.min(owners, size); i++) {
        of.add(members.get((shard + i) % size));
      }
      shards.add(new Topology.Placement(of, List.of()));
    }
    shards.add(new Topology.Placement(members, List.of()));
    return new Topology(id, members, shards);
  }

  /** Messages travel as bytes, so that what runs here has passed the codec. */
  private Transport from(NodeId source) {
    CallTable table = new CallTable((to, frame) -> carry(source, to, frame));
    calls.put(source, table);
    return new Transport() {
      @Override
      public void send(NodeId to, Message message) {
        ByteBuffer encoded = MessageCodec.encode(message);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        carriers.execute(() ->
            Invariant.present(byId.get(to), "a message to nobody")
                .deliver(source, MessageCodec.decode(bytes, 0, bytes.length)));
      }

      @Override
      public NodeCalls calls() {
        return table;
      }
    };
  }

  private boolean carry(NodeId source, NodeId to, byte[] frame) {
    CallTable there = calls.get(to);
    if (there == null || cutOff.contains(to)) {
      return false;
    }
    carriers.execute(() -> {
      if (!cutOff.contains(source)) {
        there.received(source, frame, 0, frame.length);
      }
    });
    return true;
  }

  /** Loses what a node asks and answers from now on. All others hear that it has left. */
  public void loseCallsOf(int i) {
    NodeId lost = node(i).self();
    cutOff.add(lost);
    Set<NodeId> rest = new HashSet<>(calls.keySet());
    rest.removeAll(cutOff);
    calls.forEach((id, table) -> {
      if (rest.contains(id)) {
        table.present(rest);
      }
    });
  }

  /** Node i, 0 &lt;= i &lt; the size. */
  public HostedNode node(int i) {
    return nodes.get(i);
  }

  /** All nodes stop at once, as if their processes had died. */
  public void kill() {
    nodes.forEach(node -> node.halt(new IllegalStateException("killed")));
    carriers.shutdownNow();
  }

  @Override
  public void close() {
    nodes.forEach(HostedNode::close);
    carriers.shutdownNow();
  }
}
