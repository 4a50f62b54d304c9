package io.canopygrid.server.endpoint.metrics;

import io.canopygrid.Durability;
import io.canopygrid.btree.serve.DataFacts;
import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.release.Release;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** The metrics of a node and its cluster. */
record NodeMetrics(ServedNode node) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(
        registry,
        "canopy.node.ready",
        "1: a member that serves its shards, and TOP answers it",
        () -> node.isReady() ? 1 : 0);
    Gauge.builder("canopy.grid.founded.seconds", () -> node.grid().founded().getEpochSecond())
        .description("When the grid was founded, in seconds since 1970")
        .tag("grid", node.grid().id().toString())
        .register(registry);
    gauge(registry, "canopy.node.topology", "The topology installed last", node::topology);
    gauge(
        registry,
        "canopy.node.transactions.oldest.seconds",
        "For how long the oldest transaction has been running that began here",
        () -> node.oldestTransaction().toMillis() / 1_000.0);
    gauge(
        registry,
        "canopy.node.shards.primary",
        "Shards that this node is the primary of",
        () -> own(GridMember::primaryShards));
    gauge(
        registry,
        "canopy.node.shards.owned",
        "Shards that this node has a copy of",
        () -> own(GridMember::ownedShards));
    Gauge.builder("canopy.node.info", () -> 1)
        .description("The node: its id, its name, its release")
        .tag("node", node.name())
        .tag("name", node.displayName())
        .tag("version", Release.version())
        .register(registry);
    data(registry);
    fetched(registry);
    gauge(
        registry,
        "canopy.cluster.members",
        "Nodes of the cluster that can be reached",
        () -> reachable(any -> 1));
    gauge(
        registry,
        "canopy.cluster.members.lost",
        "Nodes that are members and cannot be reached",
        () -> node.members().size() - reachable(any -> 1));
    gauge(
        registry,
        "canopy.cluster.members.awaited",
        "Nodes that were stopped with their data, and are awaited",
        node::awaitedNodes);
    gauge(registry, "canopy.cluster.shards", "Shards of the cluster", node::shards);
    gauge(
        registry,
        "canopy.cluster.shards.served",
        "Shards of the cluster that are served",
        node::servedShards);
    gauge(
        registry,
        "canopy.cluster.copies",
        "Copies of shards at nodes that can be reached",
        () -> reachable(GridMember::ownedShards));
    gauge(
        registry,
        "canopy.cluster.copies.wanted",
        "Copies that all shards are to have together",
        node::copiesWanted);
  }

  /** The room is that of a file system, so it is known only where data is on disk. */
  private void data(MeterRegistry registry) {
    DataFacts data = node.ownData();
    Durability durability = data.durability();
    Gauge.builder("canopy.node.data.info", () -> 1)
        .description("The place of the node's data: memory, or a disk and its durability")
        .tag("place", durability == null ? "memory" : "disk")
        .tag("durability", durability == null ? "" : durability.name().toLowerCase(Locale.ROOT))
        .register(registry);
    if (durability != null) {
      gauge(
          registry,
          "canopy.node.data.free.bytes",
          "Bytes of the file system of the data directory that the node may still use",
          () -> node.ownData().freeBytes());
      gauge(
          registry,
          "canopy.node.data.total.bytes",
          "Bytes of the file system of the data directory",
          () -> node.ownData().totalBytes());
      gauge(
          registry,
          "canopy.node.data.unstored.seconds",
          "For how long the oldest change has waited for the disk",
          () -> node.unstoredNanos() / 1e9);
      gauge(
          registry,
          "canopy.node.entries.memory.bytes",
          "Memory that entries take",
          node::entryBytes);
      gauge(
          registry,
          "canopy.node.entries.memory.max.bytes",
          "Memory that entries may take, before values are on the disk only (data.memoryMax)",
          node::entryBytesMax);
      FunctionCounter.builder("canopy.node.cold.reads", node, ServedNode::coldReads)
          .description("Values that reads got from the disk, as they were not in memory")
          .register(registry);
    }
  }

  /** The copies that come from other nodes. */
  private void fetched(MeterRegistry registry) {
    FunctionCounter.builder("canopy.node.state.bytes", node, ServedNode::stateBytes)
        .description("Bytes fetched from other nodes to complete copies of shards")
        .register(registry);
    FunctionCounter.builder("canopy.node.state.shards.whole", node, ServedNode::shardsWhole)
        .description("Copies of shards that were fetched whole")
        .register(registry);
    FunctionCounter.builder("canopy.node.state.shards.changes", node, ServedNode::shardsByChanges)
        .description("Copies of shards on the node's disk that got what had changed")
        .register(registry);
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

  private static void gauge(
      MeterRegistry registry, String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }
}
