package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.recovery.RoundMessage.Proposal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Nodes with disks in the round that founds their grid, on a network that loses and reorders. */
final class RoundWorld {
  static final long PATIENCE = 50;

  /** More than a quorum can lack. */
  private static final int FAILURES_AT_ONCE = 5;

  /** More than are sent in a step. */
  private static final int DELIVERED = 3;

  private final SplittableRandom random;
  final Map<NodeId, Node> nodes = new TreeMap<>();
  final List<Disk> disks = new ArrayList<>();
  private final List<Runnable> underWay = new ArrayList<>();

  /** The foundings that any node has agreed to, by the ids of their topologies. */
  final Map<Long, Proposal> foundings = new HashMap<>();

  /** The foundings in which nodes have served. */
  private final List<Topology> served = new ArrayList<>();

  private double lost;
  private long now;
  private long lastId = 100;

  RoundWorld(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The disk of a node, which outlives it. */
  static final class Disk {
    final DiskId id;
    final List<NodeId> users = new ArrayList<>();
    final Set<Integer> complete = new HashSet<>();
    @Nullable Topology installed;
    List<Topology> over = List.of();
    long promised;
    Losses losses = Losses.NONE;

    /** The members of which its nodes have ever heard that they are lost. */
    final Set<NodeId> heard = new HashSet<>();

    /** Whether it was lost once, also where it has come back. */
    boolean lost;

    Disk(long id) {
      this.id = new DiskId(id);
    }

    Standing standing() {
      return new Standing(id, null, users, installed, over, complete, VectorClock.ZERO, promised)
          .with(losses);
    }
  }

  final class Node implements RecoveryRound.Host {
    final NodeId id = new NodeId(++lastId);
    final Disk disk;
    final RecoveryRound round;

    Node(Disk disk) {
      this.disk = disk;
      disk.users.add(id);
      round = new RecoveryRound(id, disk.standing(), FAILURES_AT_ONCE, PATIENCE, this);
    }

    @Override
    public void send(NodeId to, RoundMessage message) {
      if (random.nextDouble() >= lost) {
        underWay.add(() -> {
          Node receiver = nodes.get(to);
          if (receiver != null) {
            receiver.hear(id, message);
          }
        });
      }
    }

    void hear(NodeId source, RoundMessage message) {
      round.heard(source, message);
      look();
    }

    void look() {
      Proposal agreed = round.agreed();
      if (agreed != null) {
        if (foundings.putIfAbsent(agreed.topology(), agreed) == null) {
          long known = newest(agreed.members());
          assertThat(served).as("served before %s", agreed).allMatch(each -> each.id() <= known);
        }
        assertThat(foundings.get(agreed.topology())).isEqualTo(agreed);
        assertThat(promised(agreed.members())).allMatch(each -> each >= agreed.topology());
      }
    }

    @Override
    public void promise(long topology) {
      assertThat(topology).isGreaterThan(disk.promised);
      disk.promised = topology;
    }

    @Override
    public void lose(Losses losses) {
      assertThat(losses.covers(disk.losses)).isTrue();
      disk.losses = losses;
    }
  }

  /** The id of the newest topology that any of their disks has. */
  private long newest(List<NodeId> members) {
    return disks.stream()
        .filter(disk -> members.stream().anyMatch(disk.users::contains))
        .mapToLong(disk -> disk.installed == null ? 0 : disk.installed.id())
        .max()
        .orElse(0);
  }

  private List<Long> promised(List<NodeId> members) {
    return disks.stream()
        .filter(disk -> members.stream().anyMatch(disk.users::contains))
        .map(disk -> disk.promised)
        .toList();
  }

  /** Disks of a grid of which all nodes have stopped in one topology. */
  void grid(int size, int owners, int shards) {
    List<NodeId> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Disk disk = new Disk(i + 1L);
      NodeId user = new NodeId(++lastId);
      disk.users.add(user);
      members.add(user);
      disks.add(disk);
    }
    List<Placement> placements = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      List<NodeId> of = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        int at = (shard + i) % size;
        of.add(members.get(at));
        disks.get(at).complete.add(shard);
      }
      placements.add(new Placement(of, List.of()));
    }
    placements.add(new Placement(members, List.of()));
    disks.forEach(disk -> disk.complete.add(shards));
    Topology last = new Topology(7, members, placements);
    disks.forEach(disk -> disk.installed = last);
  }

  Node start(Disk disk) {
    Node node = new Node(disk);
    nodes.put(node.id, node);
    return node;
  }

  /** Each node sees those of its side. */
  void view(Collection<NodeId> side) {
    for (NodeId id : side) {
      Set<NodeId> others = new HashSet<>(side);
      others.remove(id);
      node(id).round.present(others);
    }
  }

  private Node node(NodeId id) {
    Node node = nodes.get(id);
    assertThat(node).isNotNull();
    return node;
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      now++;
      if (random.nextInt(4) == 0) {
        List<Node> all = List.copyOf(nodes.values());
        Node ticked = all.get(random.nextInt(all.size()));
        ticked.round.tick(now);
        ticked.disk.heard.addAll(ticked.round.losses().members().keySet());
        ticked.look();
      }
      for (int delivered = 0; delivered < DELIVERED && !underWay.isEmpty(); delivered++) {
        underWay.remove(random.nextInt(underWay.size())).run();
      }
    }
  }

  void wildly(int size, int owners) {
    grid(size, owners, 4);
    disks.forEach(this::start);
    lost = random.nextDouble() * 0.3;
    for (int i = 0; i < 12; i++) {
      cut();
      run(random.nextInt(150));
      failSome();
    }
  }

  private void failSome() {
    for (Node node : List.copyOf(nodes.values())) {
      boolean hasFailed = node.round.agreed() != null && random.nextInt(2) == 0;
      if (hasFailed || random.nextInt(8) == 0) {
        restart(node);
      }
    }
  }

  /**
   * The same, and some disks are lost after a while. Operators say so, to nodes that see all others
   * at that moment; and disks that were lost come back to nodes that have heard of it.
   */
  void wildlyWithWords(int size, int owners) {
    grid(size, owners, 4);
    disks.forEach(this::start);
    lost = random.nextDouble() * 0.3;
    int losing = random.nextInt(4);
    for (int i = 0; i < 16; i++) {
      cut();
      run(random.nextInt(150));
      failSome();
      if (i == losing) {
        loseDisks(1 + random.nextInt(size - 1));
      } else if (i > losing) {
        if (random.nextInt(2) == 0) {
          view(nodes.keySet());
          run(random.nextInt(200));
          saySome();
          run(random.nextInt(100));
        }
        if (random.nextInt(3) == 0) {
          disks.stream().filter(this::mayComeBack).findAny().ifPresent(this::start);
        }
      }
    }
  }

  private void loseDisks(int count) {
    List<Disk> all = new ArrayList<>(disks);
    for (int i = 0; i < count; i++) {
      Disk disk = all.remove(random.nextInt(all.size()));
      disk.lost = true;
      nodes.values().removeIf(node -> node.disk == disk);
    }
    // Nobody can know any more what only these have known.
    served.removeIf(each -> disks.stream().noneMatch(disk -> !disk.lost && has(disk, each)));
  }

  private static boolean has(Disk disk, Topology founding) {
    return disk.installed != null && disk.installed.id() >= founding.id();
  }

  /** An operator says at some node that some of the disks that are lost, and not back, are so. */
  private void saySome() {
    List<Node> all = List.copyOf(nodes.values());
    Node told = all.get(random.nextInt(all.size()));
    MissingDisks missing = told.round.missing();
    Set<NodeId> lostMembers = new HashSet<>();
    if (missing != null) {
      for (NodeId member : missing.missing().keySet()) {
        boolean isLost = disks.stream().anyMatch(disk -> disk.lost && disk.users.contains(member));
        if (isLost && random.nextInt(4) > 0) {
          lostMembers.add(member);
        }
      }
      told.round.lose(lostMembers, true);
    }
  }

  private boolean mayComeBack(Disk disk) {
    return disk.lost
        && nodes.values().stream().noneMatch(node -> node.disk == disk)
        && nodes.values().stream().anyMatch(node -> !node.disk.lost && knows(node.disk, disk));
  }

  /** Whether a node of a disk has heard that another one is lost. */
  private static boolean knows(Disk disk, Disk of) {
    return of.users.stream().anyMatch(disk.heard::contains);
  }

  /** A node dies, and comes again; if its founding was agreed it may have installed it. */
  void restart(Node node) {
    nodes.remove(node.id);
    install(node);
    start(node.disk);
  }

  private void install(Node node) {
    Proposal agreed = node.round.agreed();
    if (agreed != null && agreed.members().contains(node.id) && random.nextBoolean()) {
      Topology founding =
          new Topology(
              agreed.topology(),
              agreed.members(),
              agreed.owners().stream().map(of -> new Placement(of, List.of())).toList());
      Topology before = node.disk.installed;
      assertThat(before == null ? 0 : before.id()).as("installed before").isLessThan(founding.id());
      node.disk.installed = founding;
      for (int shard = 0; shard < founding.shards().size(); shard++) {
        if (founding.shard(shard).owners().contains(node.id)) {
          node.disk.complete.add(shard);
        }
      }
      node.disk.over = agreed.over();
      List<Disk> members =
          disks.stream()
              .filter(disk -> agreed.members().stream().anyMatch(disk.users::contains))
              .toList();
      if (members.stream().allMatch(disk -> founding.equals(disk.installed))) {
        served.add(founding);
        members.stream()
            .filter(disk -> random.nextBoolean())
            .forEach(disk -> disk.over = List.of());
      }
    }
  }

  private void cut() {
    List<NodeId> one = new ArrayList<>();
    List<NodeId> two = new ArrayList<>();
    boolean whole = random.nextBoolean();
    for (NodeId id : nodes.keySet()) {
      (whole || random.nextBoolean() ? one : two).add(id);
    }
    for (Node node : nodes.values()) {
      if (node.disk.lost) {
        one.remove(node.id);
        two.remove(node.id);
        (isKnownAt(one, node.disk) ? one : two).add(node.id);
      }
    }
    view(one);
    view(two);
  }

  /** Whether a disk that is back would come to a side that knows that it was lost. */
  private boolean isKnownAt(List<NodeId> side, Disk lostOnce) {
    return side.stream().map(this::node).anyMatch(each -> knows(each.disk, lostOnce));
  }

  /**
   * An operator says at each node that all disks that are missing are lost, or, where none is, that
   * those are that are out of date.
   */
  private void sayAll() {
    for (Node node : nodes.values()) {
      MissingDisks missing = node.round.missing();
      if (missing != null && node.round.answer() instanceof RecoveryDecision.Waits) {
        Set<NodeId> missingOnes = missing.missing().keySet();
        node.round.lose(missingOnes.isEmpty() ? missing.outOfDate() : missingOnes, true);
      }
    }
  }

  /** When all is well again, all agree. */
  void rest() {
    lost = 0;
    List.copyOf(nodes.values()).forEach(this::restart);
    view(nodes.keySet());
    run(disks.stream().anyMatch(disk -> disk.lost) ? 1_000 : 0);
    for (int i = 0; i < 3 && disks.stream().anyMatch(disk -> disk.lost); i++) {
      sayAll();
      run(200);
    }
    run(6_000);
    Set<@Nullable Proposal> agreed = new HashSet<>();
    nodes.values().forEach(node -> agreed.add(node.round.agreed()));
    assertThat(agreed)
        .as("%s", nodes.values().stream().map(node -> node.round.answer()).toList())
        .hasSize(1)
        .doesNotContainNull();
  }
}
