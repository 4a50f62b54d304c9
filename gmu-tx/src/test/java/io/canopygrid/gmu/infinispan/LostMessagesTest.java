package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.StackFile;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The protocol's own messages get lost on the way, and no layer below sends them again. */
@Timeout(120)
final class LostMessagesTest {
  private static final int SHARDS = 16;
  private static final int INCREMENTS = 24;

  private final List<GmuNode> nodes = new ArrayList<>();
  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    Path stack =
        StackFile.with(LossyProtocol.class, LossyProtocol.Exchanges.class, true, directory);
    List<Integer> ports = List.of(FreePort.pick(), FreePort.pick(), FreePort.pick());
    List<String> hosts = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    LossyProtocol.SEEN.set(0);
    for (int port : ports) {
      nodes.add(
          InfinispanGrid.join(
              new GridSettings("lossy", SHARDS, 2, 40_000, 1 << 20, NodeSettings.DEFAULT),
              new NetworkSettings("127.0.0.1", port, hosts, 5_000, Optional.of(stack)),
              TreeMapStore.FACTORY,
              Fences.NONE));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(GmuNode::close);
  }

  @Test
  void whatGetsLostIsSaidAgain() throws TimeoutException {
    CompositeKey key = CompositeKey.of(7, new byte[] {1});
    int seen = LossyProtocol.SEEN.get();
    for (int i = 1; i <= INCREMENTS; i++) {
      GmuNode node = nodes.get(i % nodes.size());
      assertThat(incremented(node, key)).as("increment %s", i).isEqualTo(i);
    }
    // With fewer messages none was lost, and the test shows nothing.
    assertThat(LossyProtocol.SEEN.get() - seen).isGreaterThan(LossyProtocol.ONE_IN * 3);
  }

  /** Adds one, again after a conflict, and says what was written. */
  private static int incremented(GmuNode node, CompositeKey key) throws TimeoutException {
    while (true) {
      GmuTransaction tx =
          node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
      ReadAnswer.Got found = (ReadAnswer.Got) tx.read(new ReadQuery.Get(key));
      byte[] before = found.value();
      byte next = (byte) (before == null ? 1 : before[0] + 1);
      Outcome outcome =
          tx.commit(
              new Footprint(
                  List.of(new Footprint.KeyRead(key, found.seen())),
                  List.of(),
                  List.of(new Footprint.Write(key, new byte[] {next}, null))),
              "test");
      tx.end();
      if (outcome instanceof Outcome.Committed) {
        return next;
      }
      assertThat(outcome).isInstanceOf(Outcome.Aborted.class);
    }
  }
}
