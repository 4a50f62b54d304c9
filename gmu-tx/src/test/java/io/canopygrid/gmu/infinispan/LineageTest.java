package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Who goes on with which copies when Infinispan goes back to what some of the nodes had. */
final class LineageTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);

  /** One node: what it was given is installed when it may. */
  private final class Host {
    final NodeId self;
    final Lineage lineage;
    final RollCall call;
    long installed;

    Host(NodeId self) {
      this.self = self;
      lineage =
          new Lineage(
              self,
              true,
              (to, objection) -> send(to, host -> host.lineage.heard(self, decoded(objection))),
              why -> ended.add(self));
      call =
          new RollCall(
              self, lineage, (to, notice) -> send(to, host -> host.call.heard(self, notice)));
    }

    private void send(NodeId to, Consumer<Host> message) {
      network.add(() -> {
        if (!gone.contains(self) && !gone.contains(to)) {
          message.accept(of(to));
        }
      });
    }

    CompletableFuture<Void> given(Topology topology) {
      return call.given(topology)
          .thenRun(() -> {
            call.installed(topology);
            installed = topology.id();
          })
          .toCompletableFuture();
    }
  }

  private final Deque<Runnable> network = new ArrayDeque<>();
  private final Map<NodeId, Host> hosts = new HashMap<>();
  private final Set<NodeId> ended = new HashSet<>();
  private final Set<NodeId> gone = new HashSet<>();

  LineageTest() {
    for (NodeId node : List.of(A, B, C)) {
      hosts.put(node, new Host(node));
      of(node).given(all(38));
    }
    deliver();
  }

  private static Objection decoded(Objection objection) {
    byte[] bytes = objection.encode();
    Objection decoded = Objection.decode(bytes, 0, bytes.length);
    assertThat(decoded).isEqualTo(objection);
    assertThat(TopologyNotice.decode(bytes, 0, bytes.length)).isNull();
    assertThat(StateAck.decode(bytes, 0, bytes.length)).isNull();
    assertThat(Greeting.decode(bytes, 0, bytes.length)).isNull();
    return objection;
  }

  private Host of(NodeId node) {
    Host host = hosts.get(node);
    if (host == null) {
      throw new IllegalArgumentException("no such node: " + node);
    }
    return host;
  }

  private void deliver() {
    while (!network.isEmpty()) {
      network.remove().run();
    }
  }

  private void given(Topology topology) {
    topology.members().forEach(node -> of(node).given(topology));
    deliver();
  }

  /** A shard, and TOP. */
  private static Topology topology(long id, List<NodeId> members, NodeId... owners) {
    return new Topology(
        id,
        members,
        List.of(new Placement(List.of(owners), List.of()), new Placement(members, List.of())));
  }

  private static Topology all(long id) {
    return topology(id, List.of(A, B, C), C, A);
  }

  private static Topology without(NodeId dropped, long id) {
    List<NodeId> members = List.of(A, B, C).stream().filter(n -> !n.equals(dropped)).toList();
    List<NodeId> owners = List.of(C, A).stream().filter(n -> !n.equals(dropped)).toList();
    return topology(id, members, owners.toArray(NodeId[]::new));
  }

  /** As it happened: the side that had missed most had counted furthest. */
  @Test
  void whoWasDroppedEndsAndNobodyInstallsThatItIsAnOwner() {
    given(without(C, 41));
    given(without(C, 42));
    assertThat(of(A).installed).isEqualTo(42);

    given(all(45));
    assertThat(ended).containsExactly(C);
    assertThat(hosts.values()).extracting(host -> host.installed).containsOnly(38L, 42L);

    gone.add(C);
    given(without(C, 47));
    assertThat(ended).containsExactly(C);
    assertThat(of(A).installed).isEqualTo(47);
    assertThat(of(B).installed).isEqualTo(47);
  }

  @Test
  void whoWasDroppedInstallsNothingBeforeItHearsOfIt() {
    given(without(C, 41));
    CompletableFuture<Void> atC = of(C).given(all(45));
    CompletableFuture<Void> nextAtC = of(C).given(all(46));
    deliver();
    assertThat(atC).isCompletedExceptionally();
    assertThat(nextAtC).isNotDone();
    assertThat(ended).isEmpty();

    of(A).given(all(46));
    deliver();
    assertThat(ended).containsExactly(C);
    assertThat(nextAtC).isNotDone();
  }

  /** The one that has died may have committed alone in what the other had agreed to. */
  @Test
  void whoHasOnlyAgreedStandsByIt() {
    CompletableFuture<Void> atA = of(A).given(without(C, 41));
    of(B).given(without(C, 41));
    // What A says to B is lost, not what B says to A.
    network.remove();
    network.remove().run();
    network.clear();
    assertThat(atA).isCompleted();
    assertThat(of(B).installed).isEqualTo(38);

    gone.add(A);
    Topology next = topology(45, List.of(B, C), C);
    assertThat(of(B).given(next)).isCompletedExceptionally();
    of(C).given(next);
    deliver();
    assertThat(ended).containsExactly(C);
    assertThat(of(C).installed).isEqualTo(38);
  }

  @Test
  void whoIsOneTopologyBehindStays() {
    given(without(C, 41));
    of(A).given(without(C, 42));
    given(all(45));

    assertThat(ended).containsExactly(C);
  }

  /** Each has agreed to go on without the other; the older one ends, in whatever order. */
  @Test
  void ofTwoThatDroppedEachOtherTheOlderOneEnds() {
    gone.add(B);
    of(A).given(without(C, 42));
    of(C).given(without(A, 41));
    deliver();
    gone.clear();

    of(C).given(all(45));
    deliver();
    assertThat(ended).isEmpty();
    of(A).given(all(45));
    deliver();
    assertThat(ended).containsExactly(C);
  }

  /** Both sides of a network that passes messages one way may use one id. */
  @Test
  void whoHasInstalledItsOwnEndsNotForOneWhoHasNot() {
    CompletableFuture<Void> atC = of(C).given(without(A, 41));
    network.clear();
    of(A).given(without(C, 41));
    of(B).given(without(C, 41));
    deliver();
    assertThat(of(A).installed).isEqualTo(41);
    assertThat(atC).isNotDone();

    given(all(45));
    assertThat(ended).containsExactly(C);
  }

  /** Of one id, neither installed: one must end, or none would ever go on. */
  @Test
  void ofTwoThatAreAlikeOneEnds() {
    of(A).given(without(C, 41));
    of(C).given(without(A, 41));
    network.clear();

    of(A).given(all(45));
    of(C).given(all(45));
    deliver();
    assertThat(ended).hasSize(1);
  }

  /** It has dropped its copy: an owner without one would be taken for a new shard's first. */
  @Test
  void whoIsToOwnWhatItHasGivenUpEnds() {
    given(topology(39, List.of(A, B, C), A));

    given(all(45));
    assertThat(ended).containsExactly(C);
    assertThat(hosts.values()).allMatch(host -> host.installed == 39);
  }

  @Test
  void afterAGapAllMustAgreeToWhatDropsNobody() {
    CompletableFuture<Void> atC = of(C).given(all(45));
    deliver();
    assertThat(atC).isNotDone();

    of(A).given(all(45));
    of(B).given(all(45));
    deliver();
    assertThat(atC).isCompleted();
    assertThat(of(C).given(all(46))).as("no gap").isCompleted();
    assertThat(ended).isEmpty();
  }

  @Test
  void whoJoinedIsAnOwnerInATopologyAfterThat() {
    NodeId joiner = new NodeId(4);
    List<NodeId> four = List.of(A, B, C, joiner);
    hosts.put(joiner, new Host(joiner));
    Placement top = new Placement(List.of(A, B, C), List.of(joiner));
    Placement shard = new Placement(List.of(C, A), List.of(joiner));
    given(new Topology(39, four, List.of(shard, top)));
    given(topology(40, four, C, A, joiner));
    given(topology(41, four, joiner, A));

    assertThat(ended).isEmpty();
    assertThat(hosts.values()).allMatch(host -> host.installed == 41);
  }

  /** With one owner a lost shard begins anew somewhere, empty. */
  @Test
  void whereThereAreNoBackupsNothingIsRefused() {
    Lineage lineage = new Lineage(A, false, (to, objection) -> {}, why -> ended.add(A));
    lineage.agree(all(38), false);

    assertThat(lineage.refuses(topology(39, List.of(A, B), B))).isFalse();
  }
}
