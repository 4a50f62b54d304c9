package io.canopygrid.server.endpoint.metrics;

import io.canopygrid.btree.serve.ServedNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** The metrics of a node and its cluster. */
record NodeMetrics(ServedNode node) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(
        registry,
        "canopy.node.ready",
        "1: a member that serves its shards",
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
        () -> own(ServedNode.Member::primaryShards));
    gauge(
        registry,
        "canopy.node.shards.owned",
        "Shards that this node has a copy of",
        () -> own(ServedNode.Member::ownedShards));
    gauge(registry, "canopy.cluster.members", "Nodes of the cluster", () -> node.members().size());
    gauge(registry, "canopy.cluster.shards", "Shards of the cluster", node::shards);
    gauge(
        registry,
        "canopy.cluster.shards.served",
        "Shards of the cluster that have a primary",
        () -> node.members().stream().mapToInt(ServedNode.Member::primaryShards).sum());
    gauge(
        registry,
        "canopy.cluster.copies",
        "Copies of shards that the cluster has",
        () -> node.members().stream().mapToInt(ServedNode.Member::ownedShards).sum());
  }

  private int own(ToIntFunction<ServedNode.Member> count) {
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
