package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.infinispan.partitionhandling.AvailabilityMode.AVAILABLE;
import static org.infinispan.partitionhandling.AvailabilityMode.DEGRADED_MODE;

import io.canopygrid.gmu.NodeId;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.distribution.ch.impl.DefaultConsistentHash;
import org.infinispan.distribution.ch.impl.DefaultConsistentHashFactory;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.impl.AvailabilityStrategyContext;
import org.infinispan.partitionhandling.impl.PreferConsistencyStrategy;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheJoinInfo;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.CacheTopology.Phase;
import org.infinispan.topology.PersistentUUIDManager;
import org.infinispan.util.logging.events.EventLogManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The decision of Infinispan's own strategy on the answers: the owners it goes on with, if any. */
final class TopologyRecoveryTest {
  private static final int VIEW = 7;
  private static final CacheJoinInfo JOIN_INFO =
      new CacheJoinInfo(
          DefaultConsistentHashFactory.getInstance(),
          3,
          2,
          1_000,
          CacheMode.DIST_SYNC,
          1,
          UUID.randomUUID(),
          Optional.empty());

  /** One node and what its Infinispan has. */
  private final class Host {
    final TopologyRecovery recovery;
    CacheTopology counted;
    CacheTopology stable;
    AvailabilityMode mode = AVAILABLE;

    Host(Address address, CacheTopology first) {
      NodeId self = TopologyMapping.nodeId(address);
      recovery =
          new TopologyRecovery(
              self,
              (to, status) -> tells(self, to, decoded(status)),
              (task, nanos) -> timeouts.put(nanos, task));
      counted = first;
      stable = first;
      installs(first);
    }

    void installs(CacheTopology next) {
      ReceivedTopology received = received(next);
      recovery.received(received);
      counted = next;
      if (recovery.mayInstall(received)) {
        recovery.installed(received);
      }
    }

    /** Counts topologies as a node that is alone does. */
    void counts(int topologies) {
      counted =
          new CacheTopology(
              counted.getTopologyId() + topologies,
              1,
              counted.getCurrentCH(),
              null,
              Phase.NO_REBALANCE,
              counted.getActualMembers(),
              counted.getMembersPersistentUUIDs());
      mode = DEGRADED_MODE;
    }

    CacheStatusResponse raw() {
      return new CacheStatusResponse(JOIN_INFO, counted, stable, mode, counted.getActualMembers());
    }
  }

  /** With what Infinispan goes on. */
  private record Outcome(AvailabilityMode mode, List<List<Address>> owners) {}

  private final Address a = Address.random("a");
  private final Address b = Address.random("b");
  private final Address c = Address.random("c");
  private final Map<NodeId, Host> present = new HashMap<>();
  private final Map<Long, Runnable> timeouts = new HashMap<>();
  private final CacheTopology all =
      topology(38, List.of(a, b, c), List.of(List.of(a, b), List.of(b, c), List.of(c, a)));

  /** Without the third, whose shards have one copy each now. */
  private final CacheTopology ofTwo =
      topology(39, List.of(a, b), List.of(List.of(a, b), List.of(b), List.of(a)));

  private final Host first = new Host(a, all);
  private final Host second = new Host(b, all);
  private final Host third = new Host(c, all);

  private static CacheTopology topology(int id, List<Address> members, List<List<Address>> owners) {
    return new CacheTopology(
        id, 1, hash(members, owners), null, Phase.NO_REBALANCE, members, uuids(members));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ConsistentHash hash(List<Address> members, List<List<Address>> owners) {
    Map<Address, Float> capacity =
        members.stream().collect(Collectors.toMap(member -> member, member -> 1f));
    return DefaultConsistentHash.create(
        2, owners.size(), members, capacity, owners.toArray(List[]::new));
  }

  private static List<UUID> uuids(List<Address> members) {
    return members.stream().map(Address::getNodeUUID).toList();
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object uuidsOf(Object[] arguments) {
    return arguments.length == 1 && arguments[0] instanceof List<?> members
        ? uuids((List<Address>) members)
        : null;
  }

  private static ReceivedTopology received(CacheTopology source) {
    CacheTopology owned = ReceivedTopology.dataOwners(source, source.getTopologyId());
    return new ReceivedTopology(
        TopologyMapping.map(
            source.getTopologyId(),
            source.getActualMembers(),
            owned.getCurrentCH(),
            owned.getCurrentCH(),
            false),
        source);
  }

  private static TopologyStatus decoded(TopologyStatus status) {
    byte[] bytes = status.encode();
    assertThat(TopologyStatus.decode(bytes, 0, bytes.length - 1)).isNull();
    assertThat(TopologyNotice.decode(bytes, 0, bytes.length)).isNull();
    assertThat(TopologyStatus.decode(bytes, 0, bytes.length)).isEqualTo(status);
    return status;
  }

  private void passes(long nanos) {
    Runnable due = timeouts.remove(nanos);
    assertThat(due).isNotNull();
    due.run();
  }

  private void tells(NodeId from, NodeId to, TopologyStatus status) {
    Host host = present.get(to);
    if (host != null) {
      host.recovery.heard(from, status);
    }
  }

  private Map<Address, CacheStatusResponse> answers(Map<Address, Host> nodes) {
    present.clear();
    nodes.forEach((address, host) -> present.put(TopologyMapping.nodeId(address), host));
    nodes
        .values()
        .forEach(host -> {
          var unused = host.recovery.asked(VIEW, host.counted.getTopologyId(), present.keySet());
        });
    Map<Address, CacheStatusResponse> answers = new LinkedHashMap<>();
    nodes.forEach((address, host) -> {
      CacheStatusResponse answer = host.recovery.answer(host.raw());
      if (answer != null) {
        answers.put(address, answer);
      }
    });
    return answers;
  }

  private static Outcome goesOn(Map<Address, CacheStatusResponse> answers) {
    AvailabilityMode[] mode = {AVAILABLE};
    CacheTopology[] merged = new CacheTopology[1];
    AvailabilityStrategyContext context =
        proxy(
            AvailabilityStrategyContext.class,
            (name, arguments) -> {
              switch (name) {
                case "getExpectedMembers" -> {
                  return List.copyOf(answers.keySet());
                }
                case "updateTopologiesAfterMerge" -> merged[0] = (CacheTopology) arguments[0];
                case "updateAvailabilityMode" -> mode[0] = (AvailabilityMode) arguments[1];
                default -> {
                  // Nothing that counts here.
                }
              }
              return null;
            });
    EventLogManager silent = proxy(EventLogManager.class, (name, arguments) -> null);
    new PreferConsistencyStrategy(
            silent, proxy(PersistentUUIDManager.class, (name, arguments) -> uuidsOf(arguments)))
        .onPartitionMerge(context, answers);
    int newest =
        answers.values().stream()
            .mapToInt(answer -> answer.getCacheTopology().getTopologyId())
            .max()
            .orElseThrow();
    assertThat(merged[0].getTopologyId()).isGreaterThan(newest);
    List<List<Address>> owners = new ArrayList<>();
    for (int shard = 0; shard < merged[0].getCurrentCH().getNumSegments(); shard++) {
      owners.add(merged[0].getCurrentCH().locateOwnersForSegment(shard));
    }
    return new Outcome(mode[0], owners);
  }

  private interface Calls {
    @Nullable Object called(String name, Object[] arguments);
  }

  /** Whose methods answer that, or else one of its kind. */
  private static <T> T proxy(Class<T> type, Calls calls) {
    Object proxy =
        Proxy.newProxyInstance(
            TopologyRecoveryTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object answer =
                  calls.called(method.getName(), arguments == null ? new Object[0] : arguments);
              if (answer == null && method.getReturnType().isInterface()) {
                return proxy(method.getReturnType(), (name, any) -> null);
              }
              return answer == null && method.getReturnType() == boolean.class ? false : answer;
            });
    return type.cast(proxy);
  }

  private Map<Address, Host> everybody() {
    return new TreeMap<>(Map.of(a, first, b, second, c, third));
  }

  private void dropTheThird() {
    first.installs(ofTwo);
    second.installs(ofTwo);
    first.counts(1);
    second.counts(1);
  }

  private static List<List<Address>> owners(CacheTopology topology) {
    List<List<Address>> owners = new ArrayList<>();
    for (int shard = 0; shard < topology.getCurrentCH().getNumSegments(); shard++) {
      owners.add(topology.getCurrentCH().locateOwnersForSegment(shard));
    }
    return owners;
  }

  @Test
  void whoCountedFurthestAloneIsNotWhoHasGoneFurthest() {
    dropTheThird();
    third.counts(100);
    Map<Address, CacheStatusResponse> raw = new LinkedHashMap<>();
    everybody().forEach((address, host) -> raw.put(address, host.raw()));
    assertThat(goesOn(raw)).as("Infinispan alone").isEqualTo(new Outcome(AVAILABLE, owners(all)));

    Map<Address, CacheStatusResponse> answers = answers(everybody());

    assertThat(answers).doesNotContainKey(c);
    assertThat(goesOn(answers)).isEqualTo(new Outcome(AVAILABLE, owners(ofTwo)));
    assertThat(answers.values())
        .as("above what the third has, or it would not hear of it")
        .allMatch(
            answer -> answer.getCacheTopology().getTopologyId() > third.counted.getTopologyId());
  }

  @Test
  void whoSleptIsAvailableAndDoesNotCount() {
    dropTheThird();
    Map<Address, CacheStatusResponse> answers = answers(everybody());

    assertThat(answers).containsOnlyKeys(a, b);
    assertThat(goesOn(answers)).isEqualTo(new Outcome(AVAILABLE, owners(ofTwo)));
  }

  @Test
  void oneOfTheTwoAndTheThirdWaitForTheOther() {
    dropTheThird();
    third.counts(100);
    Map<Address, CacheStatusResponse> answers = answers(new TreeMap<>(Map.of(a, first, c, third)));

    assertThat(answers).containsOnlyKeys(a);
    assertThat(goesOn(answers)).isEqualTo(new Outcome(DEGRADED_MODE, owners(ofTwo)));
  }

  @Test
  void whoHasOnlyMissedATopologyOfItsOwnCounts() {
    first.installs(
        topology(41, List.of(a, b, c), List.of(List.of(a, b), List.of(b, c), List.of(a, c))));
    second.counts(20);
    Map<Address, CacheStatusResponse> answers = answers(everybody());

    assertThat(answers).containsOnlyKeys(a, b, c);
    assertThat(goesOn(answers)).isEqualTo(new Outcome(AVAILABLE, owners(first.counted)));
  }

  @Test
  void whoWasToGetACopyInTheLastPhaseHasIt() {
    ConsistentHash before = hash(List.of(a, b, c), owners(all));
    ConsistentHash after =
        hash(List.of(a, b, c), List.of(List.of(a, c), List.of(b, c), List.of(c, a)));
    first.installs(
        new CacheTopology(
            41,
            2,
            before,
            after,
            Phase.READ_NEW_WRITE_ALL,
            List.of(a, b, c),
            uuids(List.of(a, b, c))));

    assertThat(goesOn(answers(everybody())).owners().get(0)).containsExactly(a, c);
  }

  @Test
  void whoHasAnsweredDropsNobodyByAnOlderTopology() {
    second.recovery.received(received(ofTwo));
    second.counted = ofTwo;
    Map<Address, CacheStatusResponse> answers = answers(new TreeMap<>(Map.of(b, second, c, third)));

    assertThat(goesOn(answers)).isEqualTo(new Outcome(AVAILABLE, owners(all)));
    assertThat(second.recovery.mayInstall(received(ofTwo))).isFalse();
    CacheTopology next =
        topology(50, List.of(b, c), List.of(List.of(b), List.of(b, c), List.of(c)));
    assertThat(second.recovery.mayInstall(received(next))).isTrue();
  }

  @Test
  void whoIsSeenLaterIsToldAgainAlsoByWhoWaitsForNobody() {
    NodeId one = TopologyMapping.nodeId(a);
    NodeId other = TopologyMapping.nodeId(b);
    second.recovery.heard(one, new TopologyStatus(VIEW, 38, false, 38, List.of(one, other)));
    CompletableFuture<Void> waits =
        first.recovery.asked(VIEW, 38, Set.of(one, other)).toCompletableFuture();
    var unused = second.recovery.asked(VIEW, 38, Set.of(one, other)); // nobody is there to hear it
    assertThat(waits).isNotDone();

    present.put(one, first);
    second.recovery.sees();
    assertThat(waits).isCompleted();
  }

  @Test
  void nobodyWaitsForWhoHasNotTheGrid() {
    NodeId stranger = new NodeId(4);
    CompletableFuture<Void> told =
        first.recovery.asked(VIEW, 38, Set.of(stranger)).toCompletableFuture();
    assertThat(told).isNotDone();

    passes(TopologyRecovery.STRANGER_NANOS);
    assertThat(told).isCompleted();
    assertThat(first.recovery.answer(first.raw())).isNotNull();
  }

  @Test
  void whoWasAMemberIsWaitedForUntilItSaysThatItHasNothing() {
    NodeId other = TopologyMapping.nodeId(b);
    CompletableFuture<Void> told =
        first.recovery.asked(VIEW, 38, Set.of(other)).toCompletableFuture();
    first.recovery.heard(other, new TopologyStatus(VIEW - 1, 38, false, 38, List.of()));
    passes(TopologyRecovery.STRANGER_NANOS);
    assertThat(told).isNotDone();

    present.put(TopologyMapping.nodeId(a), first);
    second.recovery.leave(present.keySet());
    assertThat(told).isCompleted();
    told = first.recovery.asked(VIEW + 1, 38, Set.of(other)).toCompletableFuture();
    assertThat(told).isCompleted();

    first.installs(topology(50, List.of(a, b, c), owners(all)));
    told = first.recovery.asked(VIEW + 2, 50, Set.of(other)).toCompletableFuture();
    assertThat(told).as("it is back under the same address").isNotDone();
  }

  @Test
  void nobodyIsWaitedForForever() {
    CompletableFuture<Void> told =
        first.recovery.asked(VIEW, 38, Set.of(TopologyMapping.nodeId(b))).toCompletableFuture();
    passes(TopologyRecovery.MEMBER_NANOS);
    assertThat(told).isCompleted();
    assertThat(first.recovery.answer(first.raw())).isNotNull();
  }
}
