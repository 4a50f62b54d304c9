package io.canopygrid.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The faults that a test can give to its grid. */
@Timeout(180)
final class CanopyGridTest {
  private static final TransactionOptions BRIEF =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofSeconds(5));

  private static Index<Long, String> names(Canopy canopy) {
    return canopy.index("names", Codec.int64(), Codec.string());
  }

  private static void put(Canopy canopy, TransactionOptions options, String name) {
    Index<Long, String> names = names(canopy);
    canopy.run(options, (Transaction tx) -> tx.on(names).put(1L, name));
  }

  private static String get(Canopy canopy) {
    Index<Long, String> names = names(canopy);
    return canopy.read(tx -> Objects.requireNonNullElse(tx.on(names).get(1L), "nobody"));
  }

  @Nested
  @CanopyTest(nodes = 3)
  final class OfThreeNodes {
    @Test
    void whatIsCommittedOutlivesANodeThatIsKilledOrStopped(CanopyGrid grid) {
      put(grid.node(0), TransactionOptions.DEFAULTS, "Ada");
      EmbeddedCanopy killed = grid.node(0);

      grid.kill(0);
      assertThatThrownBy(() -> names(killed)).isInstanceOf(CanopyException.class);
      assertThatThrownBy(() -> grid.node(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("node 0 was killed: start(0) starts it again");
      assertThat(grid.isRunning(0)).isFalse();
      grid.awaitCopies();
      assertThat(grid.node(1).members()).isEqualTo(2);

      grid.stop(1);
      assertThat(get(grid.node(2))).isEqualTo("Ada");

      grid.start(0, 1);
      grid.awaitCopies();
      assertThat(grid.node(2).members()).isEqualTo(3);
      assertThat(get(grid.node(0))).isEqualTo("Ada");
    }

    @Test
    void theOthersGoOnWithoutANodeThatIsCutOffAndItComesBack(CanopyGrid grid) {
      put(grid.node(2), TransactionOptions.DEFAULTS, "Ada");
      EmbeddedCanopy cutOff = grid.node(2);

      grid.cutOff(2);
      assertThat(grid).hasToString("[node 0: running, node 1: running, node 2: cut off]");
      grid.awaitCopies();
      put(grid.node(0), TransactionOptions.DEFAULTS, "Grace");
      assertThatThrownBy(() -> put(cutOff, BRIEF, "Eve")).isInstanceOf(CanopyException.class);

      grid.heal();
      grid.awaitCopies();
      assertThat(get(cutOff)).isEqualTo("Grace");
    }

    @Test
    void aMethodFindsTheGridWholeThatAFormerOneHasLeftInPieces(CanopyGrid grid) {
      grid.kill(1);
      grid.cutOff(2);
      grid.makeWhole(); // as before each method
      assertThat(grid).hasToString("[node 0: running, node 1: running, node 2: running]");
      assertThat(grid.node(1).members()).isEqualTo(3);
    }

    @Test
    void nodesThatAreNotThereAreNamed(CanopyGrid grid) {
      assertThat(grid.nodes()).isEqualTo(3);
      assertThatThrownBy(() -> grid.node(3))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("nodes are 0 to 2: node=3");
      assertThatThrownBy(() -> grid.kill(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("nodes are 0 to 2: node=-1");
    }
  }

  @Nested
  @CanopyTest(nodes = 3, onDisk = true)
  final class OnDisk {
    @Test
    void whatIsCommittedOutlivesTheDeathOfAllNodes(CanopyGrid grid) {
      put(grid.node(0), TransactionOptions.DEFAULTS, "Ada");
      for (int node = 0; node < grid.nodes(); node++) {
        grid.kill(node);
      }
      grid.start(0, 1, 2);
      assertThat(get(grid.node(1))).isEqualTo("Ada");
    }
  }

  @Nested
  @CanopyTest
  final class OfOneNode {
    @Test
    void itIsStartedAgainEmpty(CanopyGrid grid) {
      put(grid.node(0), TransactionOptions.DEFAULTS, "Ada");
      grid.stop(0);
      assertThatThrownBy(grid::awaitCopies)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no node is there: [node 0: stopped]");
      grid.start(0);
      assertThat(get(grid.node(0))).isEqualTo("nobody");
    }

    @Test
    void itHasNoNetwork(CanopyGrid grid) {
      assertThatThrownBy(() -> grid.cutOff(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a single node has no network to be cut off from: @CanopyTest(nodes = 3)");
    }
  }
}
