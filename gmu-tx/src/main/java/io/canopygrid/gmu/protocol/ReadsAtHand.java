package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.read.ChangeRead;
import io.canopygrid.gmu.protocol.read.ColdValues;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/** Reads that a node's own copies answer without the protocol lock. Thread-safe. */
final class ReadsAtHand {
  private final NodeState node;
  private final ShardMap shards;
  private final Replicas replicas;
  private final HotEntries hot;
  private final OrderedView<VersionChain> noEntries;

  ReadsAtHand(NodeState node, ShardMap shards, Replicas replicas, HotEntries hot) {
    this.noEntries = node.stores().<VersionChain>create().view();
    this.node = node;
    this.shards = shards;
    this.replicas = replicas;
    this.hot = hot;
  }

  /** As {@link ProtocolNode#tryRead}. */
  @Nullable LocalRead tryRead(long topology, ReadQuery query, VectorClock clock, ShardSet hasRead) {
    ShardView view = replicas.view(shards.shardOf(query.kcl()));
    return view != null
            && view.topology() == topology
            && view.serves(clock)
            && !node.waitsForTurn(query, hasRead)
        ? view.read(query, clock, hasRead, true, node.reading(), new ColdValues(node.memory()))
        : null;
  }

  /** As {@link ProtocolNode#tryReadNearest}. */
  @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    int shard = shards.shardOf(query.kcl());
    ShardView view = replicas.view(shard);
    if (view == null) {
      return hot.tryRead(shard, query, clock, hasRead);
    }
    return node.waitsForTurn(query, hasRead)
        ? null
        : view.readNearest(query, clock, hasRead, node.reading(), new ColdValues(node.memory()));
  }

  /** As {@link ProtocolNode#changes}. */
  ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    ShardView view = replicas.view(query.shard());
    return view == null ? new ChangeAnswer.NotHere() : new ChangeRead(view, query, filter).run();
  }

  /** As {@link ProtocolNode#view}. */
  OrderedView<VersionChain> view(int shard) {
    ShardView view = replicas.view(shard);
    return view == null ? noEntries : view.chains();
  }

  /** As {@link ProtocolNode#size}. */
  KclSize size(long kcl) {
    Participant replica = replicas.get(shards.shardOf(kcl));
    return replica == null ? KclSize.NONE : replica.live().of(kcl);
  }
}
