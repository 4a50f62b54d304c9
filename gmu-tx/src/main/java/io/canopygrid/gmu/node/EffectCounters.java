package io.canopygrid.gmu.node;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.Effect;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the effects that a node carries out. Thread-safe. */
public final class EffectCounters {
  private final LongAdder remoteReads = new LongAdder();
  private final LongAdder remoteCommits = new LongAdder();
  private final LongAdder replication = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder onePhaseCommits = new LongAdder();
  private final LongAdder aborts = new LongAdder();
  private final LongAdder stateBytes = new LongAdder();
  private final LongAdder shardsWhole = new LongAdder();
  private final LongAdder shardsByChanges = new LongAdder();
  private final LongAdder coldReads = new LongAdder();

  /**
   * Counts the effects of one step, in this topology, before the first of them is carried out. One
   * message can bring about the answers to others that are not sent yet, and a caller that is
   * answered may look at the counts.
   */
  public void count(List<Effect> effects, @Nullable Topology topology) {
    for (int i = 0; i < effects.size(); i++) {
      Effect effect = effects.get(i);
      if (effect instanceof Effect.Send send) {
        sent(send, Invariant.present(topology, "sent before there was a topology"));
      } else if (effect instanceof Effect.Ended ended) {
        ended(ended);
      } else if (effect instanceof Effect.Load load) {
        coldReads.add(load.versions().size());
      }
    }
  }

  private void sent(Effect.Send send, Topology topology) {
    messages.increment();
    if (send.message() instanceof Message.Read) {
      remoteReads.increment();
    } else if (send.message() instanceof Message.Prepare prepare) {
      commitMessage(send.to(), prepare.record().shard(), topology);
    } else if (send.message() instanceof Message.Decide decide) {
      commitMessage(send.to(), decide.shard(), topology);
    }
  }

  private void commitMessage(NodeId to, int shard, Topology topology) {
    List<NodeId> owners = topology.shard(shard).owners();
    boolean toPrimary = !owners.isEmpty() && owners.get(0).equals(to);
    (toPrimary ? remoteCommits : replication).increment();
  }

  private void ended(Effect.Ended ended) {
    if (ended.outcome() instanceof Outcome.Committed) {
      commits.increment();
      if (ended.onePhase()) {
        onePhaseCommits.increment();
      }
    } else {
      aborts.increment();
    }
  }

  /**
   * Counts a part of a shard's state. A shard that has no entries has only the first part, and
   * counts as none.
   *
   * @param bytes its length on the network
   */
  void fetched(Message.State chunk, int bytes) {
    stateBytes.add(bytes);
    if (chunk.last() && chunk.since() > 0) {
      shardsByChanges.increment();
    } else if (chunk.last() && chunk.chunk() > 0) {
      shardsWhole.increment();
    }
  }

  /** The counts so far. */
  public GmuCounters snapshot() {
    return new GmuCounters(
        remoteReads.sum(),
        remoteCommits.sum(),
        replication.sum(),
        messages.sum(),
        commits.sum(),
        onePhaseCommits.sum(),
        aborts.sum(),
        stateBytes.sum(),
        shardsWhole.sum(),
        shardsByChanges.sum(),
        coldReads.sum());
  }
}
