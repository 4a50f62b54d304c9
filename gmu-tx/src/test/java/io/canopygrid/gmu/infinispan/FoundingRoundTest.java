package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that bring their Infinispan agree how to found their grid. */
@Timeout(120)
final class FoundingRoundTest {
  private static final int SHARDS = 16;
  private static final int BASE = 1_000;
  private static final GridSettings SETTINGS =
      new GridSettings("test", SHARDS, 2, 60_000, 1 << 26, NodeSettings.DEFAULT);

  private final List<GmuNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(GmuNode::close);
  }

  /** Holds the round of three nodes that all know each other in this JVM. */
  private static final class Rounds implements FoundingRound {
    private final AtomicInteger held = new AtomicInteger();
    private final CyclicBarrier barrier = new CyclicBarrier(3, this::agreed);
    private final Set<NodeId> present = ConcurrentHashMap.newKeySet();
    private volatile @Nullable FoundingPlacement founding;

    @Override
    public @Nullable FoundingPlacement agree(NodeId self) {
      present.add(self);
      try {
        barrier.await(20, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return founding;
    }

    private void agreed() {
      List<NodeId> members = List.copyOf(present);
      present.clear();
      founding =
          Foundings.of(
              BASE + 10L * held.getAndIncrement(),
              members,
              Collections.nCopies(SHARDS, members.subList(1, 3)));
    }
  }

  /** The first founding is void, as a node of it gives up; all hold the round once more. */
  @Test
  void nodesThatGaveUpFoundTheGridWithTheNextRound() throws Exception {
    Rounds rounds = new Rounds();
    AtomicBoolean isVoid = new AtomicBoolean();
    FoundingRound leaves =
        self -> {
          FoundingPlacement founding = rounds.agree(self);
          if (isVoid.compareAndSet(false, true)) {
            throw new JoinException(Reason.LEFT_ALONE, "as if it had died", null);
          }
          return founding;
        };
    List<Integer> ports = List.of(FreePort.pick(), FreePort.pick(), FreePort.pick());
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    List<CompletableFuture<GmuNode>> joining = new ArrayList<>();
    for (int port : ports) {
      NetworkSettings network =
          new NetworkSettings("127.0.0.1", port, members, 10_000, Optional.empty());
      FoundingRound round = port == ports.get(0) ? leaves : rounds;
      joining.add(
          CompletableFuture.supplyAsync(
              () ->
                  InfinispanGrid.join(
                      SETTINGS, network, TreeMapStore.FACTORY, Fences.NONE, null, round),
              task -> new Thread(task, "joins-" + port).start()));
    }
    for (CompletableFuture<GmuNode> each : joining) {
      nodes.add(each.get());
    }
    assertThat(rounds.held.get()).isGreaterThan(1);
    FoundingPlacement last = rounds.founding;
    assertThat(last).isNotNull();
    assertThat(nodes).extracting(GmuNode::topology).containsOnly(last.topology());
    VectorClock token = Entries.write(nodes.get(0));
    Entries.assertRead(nodes.get(2), token);
  }
}
