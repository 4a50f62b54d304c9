package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.spi.Fences;
import org.junit.jupiter.api.Test;

/** A server ends its process for a node that has ended for good, and only for that. */
final class NodeFailureTest {
  @Test
  void aNodeSaysWhyItHasEndedForGood() {
    IllegalStateException wrong = new IllegalStateException("for the test");
    assertThat(halted(wrong).failure()).isSameAs(wrong);
    assertThat(halted(new ExpelledException("cut off", true)).failure()).isNull();
    assertThat(halted(new ExpelledException("cut off", false)).failure()).hasMessage("cut off");
  }

  @Test
  void aNodeThatRunsOrWasClosedHasNotFailed() {
    GmuNode node = standalone();
    assertThat(node.failure()).isNull();
    node.close();
    assertThat(node.failure()).isNull();
  }

  private static HostedNode halted(Throwable cause) {
    HostedNode node = (HostedNode) standalone();
    node.halt(cause);
    node.close();
    return node;
  }

  private static GmuNode standalone() {
    return StandaloneNode.start(
        new ShardMap(16), NodeSettings.DEFAULT, TreeMapStore.FACTORY, Fences.NONE);
  }
}
