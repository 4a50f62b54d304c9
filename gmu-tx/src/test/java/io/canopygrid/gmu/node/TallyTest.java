package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.Message;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.simulation.TreeMapStore;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TallyTest {
  private static final ShardMap SHARDS = new ShardMap(8);

  /** With a decision that the first node hears the second knows it too, and may answer. */
  @Test
  void aRequestIsCountedBeforeAnyOfItsStepCouldBeAnswered() {
    AtomicReference<GmuNode> sender = new AtomicReference<>();
    List<GmuCounters> atEachSend = new CopyOnWriteArrayList<>();
    Transport unanswered =
        (to, message) -> {
          if (message instanceof Message.Prepare) {
            atEachSend.add(Objects.requireNonNull(sender.get()).counters());
          }
        };
    try (LaneNode node = firstOfThree(unanswered)) {
      sender.set(node);
      GmuTransaction tx =
          node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
      assertThat(tx.commit(writesTo(1, 2), "")).isInstanceOf(Outcome.Aborted.class);
    }
    assertThat(atEachSend).hasSizeGreaterThanOrEqualTo(2);
    assertThat(atEachSend.get(0).remoteCommits()).isEqualTo(2);
    assertThat(atEachSend.get(1)).isEqualTo(atEachSend.get(0));
  }

  private static LaneNode firstOfThree(Transport transport) {
    LaneNode node =
        new LaneNode(
            new NodeId(1),
            SHARDS,
            new NodeSettings(ProtocolConfig.DEFAULT, 100, 0),
            TreeMapStore.FACTORY,
            Fences.NONE,
            transport,
            NodeHost.NONE);
    node.install(InProcessNetwork.topology(1, 3, 1, SHARDS));
    return node;
  }

  private static Footprint writesTo(int... shards) {
    List<Footprint.Write> writes = new ArrayList<>();
    for (int shard : shards) {
      long kcl =
          Stream.iterate(100L, k -> k + 1)
              .filter(k -> SHARDS.shardOf(k) == shard)
              .findFirst()
              .get();
      writes.add(new Footprint.Write(CompositeKey.of(kcl, new byte[] {1}), new byte[8], null));
    }
    return new Footprint(List.of(), List.of(), writes);
  }
}
