package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeClosedException;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that was cut off comes back to its own grid, and to no other one of the same name. */
@Timeout(120)
final class RejoiningNodeTest {
  private static final GridSettings SETTINGS =
      new GridSettings("test", 4, 1, 30_000, 1 << 26, NodeSettings.DEFAULT);
  private static final CompositeKey KEY = ReservedKcl.GRID.key(new byte[] {1});

  private final List<HostedNode> hosted = new ArrayList<>();

  /** The ids of the grids in which the node finds itself, one after the other. */
  private final Queue<Byte> grids = new ArrayDeque<>();

  private @Nullable Runnable expelled;

  @AfterEach
  void stop() {
    hosted.forEach(HostedNode::close);
  }

  private HostedNode join(Runnable whenExpelled, boolean mayFound) {
    expelled = whenExpelled;
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", FreePort.pick(), List.of(), 10_000, Optional.empty());
    Bootstrap.Started started =
        new Bootstrap(SETTINGS.name(), SETTINGS.joinTimeoutMillis(), network, caches -> {})
            .start(true, false);
    HostedNode node =
        new GridHost(SETTINGS, started.caches(), true, null, TreeMapStore.FACTORY, Fences.NONE)
            .join(true, started.objection());
    hosted.add(node);
    write(node, new byte[] {grids.remove()});
    return node;
  }

  private static void write(HostedNode node, byte[] id) {
    GmuTransaction tx = begin(node);
    Footprint footprint =
        new Footprint(List.of(), List.of(), List.of(new Footprint.Write(KEY, id, null)));
    assertThat(tx.commit(footprint, "test")).isInstanceOf(Outcome.Committed.class);
    tx.end();
  }

  private static GmuTransaction begin(GmuNode node) {
    return node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
  }

  /** The node as it is after it was expelled from the first grid and has joined the second. */
  private RejoiningNode rejoined(int first, int second) {
    grids.addAll(List.of((byte) first, (byte) second));
    RejoiningNode node = new RejoiningNode(this::join, DataPlace.MEMORY);
    node.belongsWhere(KEY, new byte[] {(byte) first});
    hosted.get(0).close();
    Runnable cutOff = expelled;
    assertThat(cutOff).isNotNull();
    cutOff.run();
    return node;
  }

  @Test
  void itsOwnGridTakesItBack() {
    try (RejoiningNode node = rejoined(1, 1)) {
      assertThat(node.failure()).isNull();
      begin(node).end();
    }
  }

  @Test
  void inAnotherGridItStopsForGood() {
    try (RejoiningNode node = rejoined(1, 2)) {
      assertThat(node.failure()).hasMessageContaining("another grid");
      assertThatExceptionOfType(NodeClosedException.class)
          .isThrownBy(() -> begin(node))
          .satisfies(e -> assertThat(e.comesBack()).isFalse());
    }
  }
}
