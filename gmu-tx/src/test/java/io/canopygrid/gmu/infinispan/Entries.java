package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Some entries in many shards. */
final class Entries {
  private Entries() {}

  private static long in(long seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  private static VectorClock writeOne(GmuNode node, int i) {
    Footprint.Write write =
        new Footprint.Write(
            CompositeKey.of(1_000 + i, new byte[] {1}), new byte[] {(byte) i}, null);
    GmuTransaction tx = node.begin(VectorClock.ZERO, in(60));
    Outcome outcome;
    do {
      outcome = tx.commit(new Footprint(List.of(), List.of(), List.of(write)), "test");
    } while (outcome instanceof Outcome.Aborted aborted
        && aborted.reason() == Outcome.AbortReason.TOPOLOGY_CHANGED);
    tx.end();
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    return ((Outcome.Committed) outcome).clock();
  }

  static VectorClock write(GmuNode node) {
    VectorClock token = VectorClock.ZERO;
    for (int i = 0; i < 60; i++) {
      token = token.join(writeOne(node, i));
    }
    return token;
  }

  static void assertRead(GmuNode node, VectorClock token) throws TimeoutException {
    for (int i = 0; i < 60; i++) {
      GmuTransaction tx = node.begin(token, in(60));
      ReadAnswer answer = tx.read(new ReadQuery.Get(CompositeKey.of(1_000 + i, new byte[] {1})));
      tx.end();
      assertThat(answer).isInstanceOf(ReadAnswer.Got.class);
      assertThat(((ReadAnswer.Got) answer).value()).containsExactly(i);
    }
  }
}
