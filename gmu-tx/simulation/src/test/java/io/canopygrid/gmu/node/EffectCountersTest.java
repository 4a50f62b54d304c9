package io.canopygrid.gmu.node;

import static io.canopygrid.gmu.node.TestNodes.firstOf;
import static io.canopygrid.gmu.node.TestNodes.key;
import static io.canopygrid.gmu.node.TestNodes.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Transport;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class EffectCountersTest {
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
    try (HostedNode node = firstOf(3, unanswered, NodeHost.NONE)) {
      sender.set(node);
      GmuTransaction tx =
          node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
      assertThat(tx.commit(writes(key(1, 1), key(2, 1)), "")).isInstanceOf(Outcome.Aborted.class);
    }
    assertThat(atEachSend).hasSizeGreaterThanOrEqualTo(2);
    assertThat(atEachSend.get(0).remoteCommits()).isEqualTo(2);
    assertThat(atEachSend.get(1)).isEqualTo(atEachSend.get(0));
  }
}
