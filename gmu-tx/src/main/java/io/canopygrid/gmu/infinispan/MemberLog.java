package io.canopygrid.gmu.infinispan;

import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.ZoneSpread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line in the log for each member that comes, leaves in order, or is lost, with its name, its
 * address and what the grid has then. Thread-safe.
 */
final class MemberLog {
  private static final Logger LOG = LoggerFactory.getLogger(MemberLog.class);

  private final String grid;
  private final NodeId self;
  private final int owners;
  private final Function<NodeId, Known> look;

  // Guarded by this object.
  private final Map<NodeId, Known> known = new HashMap<>();

  /** The way in which members go that have said so, in words. */
  private final Map<NodeId, String> going = new HashMap<>();

  private List<NodeId> members = List.of();

  /** The last word on zones that was logged; empty: none, or all was well. */
  private String crowded = "";

  private Consumer<Map<NodeId, Known>> listener = known -> {};

  /**
   * The log of one node.
   *
   * @param owners how many copies each shard is to have
   * @param look finds name and address of a member that is there
   */
  MemberLog(String grid, NodeId self, int owners, Function<NodeId, Known> look) {
    this.grid = grid;
    this.self = self;
    this.owners = owners;
    this.look = look;
  }

  /**
   * The words by which people know a member.
   *
   * @param name its name in the network
   * @param address where it listens to the other nodes
   * @param zone where it is, as it says; empty: not known
   */
  record Known(String name, String address, String zone) {}

  /** The name and address of a member, also of one that is gone and not given up yet. */
  synchronized Known known(NodeId member) {
    Known seen = known.get(member);
    return seen == null ? look.apply(member) : seen;
  }

  /** Names the one listener that hears of the members when these change. It must not block. */
  synchronized void onChange(Consumer<Map<NodeId, Known>> hears) {
    listener = hears;
  }

  /** A member has asked to leave. */
  synchronized void leaves(NodeId member) {
    going.put(member, "has left in order");
  }

  /** A member has said that it stops and will be back. */
  synchronized void stops(NodeId member) {
    going.put(member, "has stopped");
  }

  /** This node has installed a topology. */
  synchronized void installed(Topology topology) {
    List<NodeId> before = members;
    members = topology.members();
    for (NodeId member : members) {
      known.computeIfAbsent(member, look);
      if (!before.contains(member) && !before.isEmpty() && !member.equals(self)) {
        tell(member, "has joined", topology);
      }
    }
    for (NodeId member : before) {
      if (!members.contains(member)) {
        String how = going.remove(member);
        tell(member, how == null ? "was lost" : how, topology);
        known.remove(member);
      }
    }
    if (!before.equals(members)) {
      listener.accept(Map.copyOf(known));
    }
    tellZones(topology);
  }

  /** While nodes get copies these are perhaps not yet where they are to be. */
  private void tellZones(Topology topology) {
    if (topology.shards().stream().anyMatch(shard -> !shard.learners().isEmpty())) {
      return;
    }
    ZoneSpread spread =
        ZoneSpread.of(topology, owners, member -> known.computeIfAbsent(member, look).zone());
    String now = spread.text();
    if (now.equals(crowded)) {
      return;
    }
    crowded = now;
    if (now.isEmpty()) {
      LOG.info("grid '{}': the copies of each shard are in different zones again", grid);
    } else {
      LOG.warn("grid '{}': {}", grid, now);
    }
  }

  /**
   * The grid goes on from this node's side from now on, or does not.
   *
   * @param present the nodes that are there, this one included
   */
  synchronized void available(boolean now, Set<NodeId> present) {
    if (now) {
      LOG.warn("grid '{}' serves again; members: {}", grid, members.size());
      return;
    }
    String lost =
        members.stream()
            .filter(member -> !present.contains(member))
            .map(member -> member + " " + known(member).name() + " " + known(member).address())
            .collect(Collectors.joining(", "));
    LOG.atWarn()
        .addKeyValue("code", ErrorCode.SHARD_UNAVAILABLE.id())
        .log(
            "{}: grid '{}' serves nothing: half of its members, or all that have a shard, were lost"
                + " at once. These do not answer: {}; members: {} of {}",
            ErrorCode.SHARD_UNAVAILABLE,
            grid,
            lost.isEmpty() ? "none" : lost,
            members.stream().filter(present::contains).count(),
            members.size());
  }

  private void tell(NodeId member, String what, Topology topology) {
    int copies = Math.min(owners, topology.members().size());
    int missing =
        topology.shards().stream()
            .limit(topology.top())
            .mapToInt(shard -> Math.max(0, copies - shard.owners().size()))
            .sum();
    Known who = known.computeIfAbsent(member, look);
    LOG.warn(
        "grid '{}': {} {} {} {}; members: {}, copies to be made: {}",
        grid,
        member,
        who.name(),
        who.address(),
        what,
        topology.members().size(),
        missing);
  }
}
