package io.canopygrid.gmu.infinispan;

import static io.canopygrid.gmu.infinispan.EntryCalls.read;
import static io.canopygrid.gmu.infinispan.EntryCalls.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.spi.Fences;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of shards that take longer than a node waits that hears nothing of them. */
@Timeout(240)
final class SlowCopiesTest extends LoopbackGrid {
  private static final GridSettings HASTY =
      new GridSettings("test", SHARDS, 2, 4_000, 1 << 26, NodeSettings.DEFAULT);

  /** A copy takes 6 s, and one of the two that join at once has to wait for the other one's. */
  @Test
  void nodesWaitForTheirCopiesAsLongAsSomethingComes() throws TimeoutException {
    VectorClock token = filled(30, 200_000);
    NetworkSettings second = network();
    NetworkSettings third = network();
    CompletableFuture<GmuNode> other =
        CompletableFuture.supplyAsync(() -> late(second), task -> new Thread(task).start());
    nodes.add(late(third));
    nodes.add(other.join());
    for (GmuNode late : nodes.subList(1, 3)) {
      assertThat(late.counters().stateBytes()).isGreaterThan(10 * 200_000);
      assertThat(read(late, token, 7)).isEqualTo(7);
    }
  }

  /** Joins with little patience for copies, and with more for the way into the cluster. */
  private static GmuNode late(NetworkSettings network) {
    EmbeddedCacheManager caches = TestInfinispan.start("test", network, 30_000);
    await().atMost(60, TimeUnit.SECONDS).until(() -> caches.getMembers().size() > 1);
    return new GridHost(HASTY, caches, true, null, TreeMapStore.FACTORY, Fences.NONE)
        .join(false, () -> null);
  }

  /** A node that hands on 1 MiB in a second has some entries. */
  private VectorClock filled(int entries, int size) throws TimeoutException {
    GmuNode slow =
        InfinispanGrid.join(
            new GridSettings("test", SHARDS, 2, 30_000, 1 << 20, NodeSettings.DEFAULT),
            network(),
            TreeMapStore.FACTORY,
            Fences.NONE);
    nodes.add(slow);
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < entries; i++) {
      token = token.join(write(slow, i, ByteBuffer.allocate(size).putInt(i).array()));
    }
    return token;
  }

  /**
   * The others make copies for two seconds longer than a node waits that hears nothing of them:
   * each hands on half of two thirds of 22 MB.
   */
  @Test
  void aNodeThatLeavesWaitsAsLongAsTheOthersMakeCopies() throws TimeoutException {
    GridSettings impatient =
        new GridSettings(
            "test",
            SHARDS,
            2,
            30_000,
            1 << 20,
            NodeSettings.DEFAULT,
            5_000,
            null,
            Durability.ASYNC,
            null,
            NodeStorage.TIMEOUT_MILLIS,
            0);
    for (int i = 0; i < 3; i++) {
      join(impatient);
    }
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < 44; i++) {
      byte[] value = ByteBuffer.allocate(500_000).putInt(i).array();
      token = token.join(write(nodes.get(0), i, value));
    }

    GmuNode leaver = nodes.remove(0);
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(leaver::close, task -> new Thread(task).start());
    await().atMost(60, TimeUnit.SECONDS).until(leaver::isHandingOver);
    closing.join();

    for (GmuNode node : nodes) {
      assertThat(read(node, token, 7)).isEqualTo(7);
    }
    // All is on both: the first of them may go at once.
    nodes.remove(0).close();
    assertThat(read(nodes.get(0), token, 7)).isEqualTo(7);
  }

  /** The node was a member for a while. Nothing of that is left, and the others go on. */
  @Test
  void whoGetsNoCopyInTimeSaysSoAndLeavesNothingBehind() throws TimeoutException {
    VectorClock token = filled(10, 8_000_000); // each takes 8 s
    NetworkSettings late = network();

    assertThatThrownBy(() -> late(late))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("grid 'test', of which nothing has come for 4000 ms")
        .hasNoSuppressedExceptions()
        .extracting(e -> ((JoinException) e).reason())
        .isEqualTo(Reason.TIMED_OUT);

    FreePort.awaitFree(late.port());
    assertThat(read(nodes.get(0), token, 7)).isEqualTo(7);
  }
}
