package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.message.Message.HotAsk;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.HotServed;
import io.canopygrid.gmu.message.Message.KeyReads;
import io.canopygrid.gmu.protocol.hot.HotCopies;
import io.canopygrid.gmu.protocol.hot.HotKey;
import io.canopygrid.gmu.protocol.hot.HotStreams;
import io.canopygrid.gmu.protocol.hot.HotView;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.protocol.read.LocalRead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hot entries (protocol.md): one node pushes those of its own shards to keepers, and keeps those of
 * others. Confined to the protocol lock, except {@link #tryRead} and {@link #view}.
 */
public final class HotEntries {
  private final NodeState node;
  private final ShardMap shards;
  private final Replicas replicas;
  private final HotStreams streams;
  private final HotCopies copies;

  HotEntries(NodeState node, ShardMap shards, Replicas replicas) {
    this.node = node;
    this.shards = shards;
    this.replicas = replicas;
    this.streams = node.hot();
    this.copies = new HotCopies(node.config().hot(), shards.top() + 1);
  }

  private boolean isOn() {
    return node.config().hot().on() && node.placements().id() > 0;
  }

  // ---- any thread

  /** Reads in a hot copy; null: there is none that can answer. */
  @Nullable LocalRead tryRead(int shard, ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return copies.tryRead(shard, query, clock, hasRead, node.reading().fences());
  }

  /** The hot copies of a shard; null: none. */
  public @Nullable HotView view(int shard) {
    return copies.view(shard);
  }

  // ---- messages

  void onServed(NodeId source, HotServed served) {
    if (isOn()) {
      streams.keeps(source, node.outbox().nowNanos());
      for (KeyReads each : served.reads()) {
        int shard = shards.shardOf(each.key().kcl());
        if (replicas.isServing(shard)) {
          node.countHot(each.key(), shard, each.reads());
          streams.atCopies(each.key(), each.reads());
        }
      }
    }
  }

  /** A node that got a copy of the shard keeps no other. */
  void onPush(NodeId source, HotPush push) {
    if (isOn() && !node.placements().replicas(push.shard()).contains(node.self())) {
      if (copies.onPush(push, node.outbox().nowNanos())) {
        node.outbox().send(source, new HotAsk(push.topology(), push.shard()));
      }
    }
  }

  void onAsk(NodeId keeper, HotAsk ask) {
    if (isOn() && streams.asked(keeper, ask.shard())) {
      push(ask.shard(), List.of(keeper), false);
    }
  }

  // ---- time

  /** Pushes that were put off are due now. */
  void onTimer(int shard) {
    streams.pushed(shard);
    push(shard, streams.keepers(), false);
  }

  void tick() {
    if (isOn()) {
      long now = node.outbox().nowNanos();
      Placements placements = node.placements();
      long topology = placements.id();
      if (copies.isKeeper(now)) {
        for (NodeId member : placements.members()) {
          if (!member.equals(node.self())) {
            List<KeyReads> told = copies.told(shard -> member.equals(placements.primary(shard)));
            node.outbox().send(member, new HotServed(topology, told));
          }
        }
      }
      copies.tick(topology, now).forEach(this::ask);
      streams.tick(placements.members().size(), now);
      streams.shards().forEach(shard -> push(shard, streams.keepers(), true));
    }
  }

  private void ask(int shard) {
    NodeId primary = node.placements().primary(shard);
    if (primary != null) {
      node.outbox().send(primary, new HotAsk(node.placements().id(), shard));
    }
  }

  private void push(int shard, Iterable<NodeId> keepers, boolean always) {
    Participant replica = replicas.get(shard);
    if (replica == null || !replica.isServing() || !isOn()) {
      return;
    }
    List<NodeId> holders = node.placements().replicas(shard);
    for (NodeId keeper : keepers) {
      HotPush push =
          holders.contains(keeper)
              ? null
              : streams.next(
                  keeper,
                  replica.stored().latest(),
                  node.placements().id(),
                  replica.given(),
                  always);
      if (push != null) {
        node.outbox().send(keeper, push);
      }
    }
  }

  // ---- topology

  void onTopology() {
    Placements placements = node.placements();
    streams.onTopology(placements.members());
    copies.onTopology(shard -> placements.replicas(shard).contains(node.self()));
  }

  /** This node has ended. */
  void clear() {
    streams.clear();
    copies.clear();
  }

  // ---- what there is

  /** The keys that are hot or kept here, and counts. */
  public Status status() {
    return new Status(
        node.config().hot().on(),
        streams.hotKeys(node.outbox().nowNanos()),
        copies.keys(),
        copies.answered(),
        streams.pushes());
  }

  /**
   * Hot entries at one node.
   *
   * @param isOn whether the node has them
   * @param hot the hot keys of the shards that this node serves
   * @param kept the keys of which this node has hot copies
   * @param answered reads that hot copies here have answered
   * @param pushes that were sent to keepers
   */
  public record Status(
      boolean isOn, List<HotKey> hot, List<CompositeKey> kept, long answered, long pushes) {}
}
