package io.canopygrid.micrometer;

import io.canopygrid.Durability;
import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.NodeCounts;
import io.canopygrid.btree.serve.ServedNode;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The figures of a node and its cluster, as the node sees it. */
public final class NodeFigures {
  private final Meters meters;
  private final ServedNode node;
  private final NodeCounts counts;

  private NodeFigures(Meters meters, ServedNode node) {
    this.meters = meters;
    this.node = node;
    this.counts = node.counts();
  }

  /**
   * Adds them.
   *
   * @param version the node's release; empty: not known
   */
  public static void add(Meters meters, ServedNode node, String version) {
    NodeFigures figures = new NodeFigures(meters, node);
    figures.node(version);
    figures.data();
    figures.fetched();
    figures.hotEntries();
    figures.cluster();
  }

  private void node(String version) {
    meters.gauge(
        "canopy.node.ready",
        "1: a member that serves its shards, and TOP answers it",
        () -> node.isReady() ? 1 : 0);
    meters.gauge(
        "canopy.grid.founded.seconds",
        "When the grid was founded, in seconds since 1970",
        () -> node.grid().founded().getEpochSecond(),
        "grid",
        node.grid().id().toString());
    meters.gauge("canopy.node.topology", "The topology installed last", node::topology);
    meters.gauge(
        "canopy.node.transactions.oldest.seconds",
        "For how long the oldest transaction has been running that began here",
        () -> node.oldestTransaction().toMillis() / 1_000.0);
    meters.gauge(
        "canopy.node.versions",
        "Versions that this node keeps beyond the newest one of each key",
        counts::olderVersions);
    meters.gauge(
        "canopy.node.log.entries",
        "Entries of the logs of commits that this node keeps",
        counts::logEntries);
    meters.gauge(
        "canopy.node.horizon.age.seconds",
        "How long ago the present was what the horizon is now: younger states are kept",
        () -> counts.horizonNanos() / 1e9);
    meters.gauge(
        "canopy.node.level.highest",
        "The highest protocol level that the node's release speaks",
        counts::highestLevel);
    meters.gauge(
        "canopy.node.shards.primary",
        "Shards that this node is the primary of",
        () -> own(GridMember::primaryShards));
    meters.gauge(
        "canopy.node.shards.owned",
        "Shards that this node has a copy of",
        () -> own(GridMember::ownedShards));
    meters.gauge(
        "canopy.node.info",
        "The node: its id, its name, its release",
        () -> 1,
        "node",
        node.name(),
        "name",
        node.displayName(),
        "version",
        version);
  }

  private void hotEntries() {
    meters.gauge(
        "canopy.node.hot.keys", "Hot entries of which this node is the primary", counts::hotKeys);
    meters.gauge(
        "canopy.node.hot.copies",
        "Copies of hot entries of other nodes that this node keeps",
        counts::hotCopies);
    meters.counter(
        "canopy.node.hot.reads",
        "Reads that copies of hot entries at this node have answered",
        counts::hotReads);
    meters.counter(
        "canopy.node.hot.pushes",
        "Messages that have brought hot entries to other nodes",
        counts::hotPushes);
  }

  /** The room is that of a file system, so it is known only where data is on disk. */
  private void data() {
    Durability durability = node.ownData().durability();
    meters.gauge(
        "canopy.node.data.info",
        "The place of the node's data: memory, or a disk and its durability",
        () -> 1,
        "place",
        durability == null ? "memory" : "disk",
        "durability",
        durability == null ? "" : durability.name().toLowerCase(Locale.ROOT));
    if (durability == null) {
      return;
    }
    meters.gauge(
        "canopy.node.data.free.bytes",
        "Bytes of the file system of the data directory that the node may still use",
        () -> node.ownData().freeBytes());
    meters.gauge(
        "canopy.node.data.total.bytes",
        "Bytes of the file system of the data directory",
        () -> node.ownData().totalBytes());
    meters.gauge(
        "canopy.node.data.unstored.seconds",
        "For how long the oldest change has waited for the disk",
        () -> counts.unstoredNanos() / 1e9);
    meters.gauge(
        "canopy.node.entries.memory.bytes", "Memory that entries take", counts::entryBytes);
    meters.gauge(
        "canopy.node.entries.memory.max.bytes",
        "Memory that entries may take, before values are on the disk only (data.memoryMax)",
        counts::entryBytesMax);
    meters.gauge(
        "canopy.node.copies.closed",
        "Copies of shards whose versions are still read from the disk since the start",
        counts::closedCopies);
    meters.counter(
        "canopy.node.cold.reads",
        "Values that reads got from the disk, as they were not in memory",
        counts::coldReads);
  }

  /** The copies that come from other nodes. */
  private void fetched() {
    meters.counter(
        "canopy.node.state.bytes",
        "Bytes fetched from other nodes to complete copies of shards",
        counts::stateBytes);
    meters.counter(
        "canopy.node.state.shards.whole",
        "Copies of shards that were fetched whole",
        counts::shardsWhole);
    meters.counter(
        "canopy.node.state.shards.changes",
        "Copies of shards on the node's disk that got what had changed",
        counts::shardsByChanges);
  }

  private void cluster() {
    meters.gauge(
        "canopy.cluster.members",
        "Nodes of the cluster that can be reached",
        () -> reachable(any -> 1));
    meters.gauge(
        "canopy.cluster.members.lost",
        "Nodes that are members and cannot be reached",
        () -> node.members().size() - reachable(any -> 1));
    meters.gauge(
        "canopy.cluster.members.awaited",
        "Nodes that were stopped with their data, and are awaited",
        node::awaitedNodes);
    meters.gauge(
        "canopy.cluster.level", "The protocol level at which nodes write", counts::gridLevel);
    meters.gauge("canopy.cluster.shards", "Shards of the cluster", node::shards);
    meters.gauge(
        "canopy.cluster.shards.served",
        "Shards of the cluster that are served",
        node::servedShards);
    meters.gauge(
        "canopy.cluster.copies",
        "Copies of shards at nodes that can be reached",
        () -> reachable(GridMember::ownedShards));
    meters.gauge(
        "canopy.cluster.copies.wanted",
        "Copies that all shards are to have together",
        node::copiesWanted);
  }

  private int reachable(ToIntFunction<GridMember> count) {
    return node.members().stream().filter(GridMember::reachable).mapToInt(count).sum();
  }

  private int own(ToIntFunction<GridMember> count) {
    return node.members().stream()
        .filter(member -> member.node().equals(node.name()))
        .mapToInt(count)
        .sum();
  }
}
