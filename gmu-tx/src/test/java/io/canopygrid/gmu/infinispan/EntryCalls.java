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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads and writes of entries with numbers, at any node. */
final class EntryCalls {
  private EntryCalls() {}

  /** A deadline so many milliseconds from now. */
  static long in(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The key of entry i. */
  static CompositeKey key(int i) {
    return CompositeKey.of(1_000 + i, new byte[] {1});
  }

  /** Gives entry i a value, in a transaction of its own; the clock of its commit. */
  static VectorClock write(GmuNode node, int i, int value) {
    return write(node, i, ByteBuffer.allocate(4).putInt(value).array());
  }

  /** The same with the value's bytes. */
  static VectorClock write(GmuNode node, int i, byte[] value) {
    Footprint footprint =
        new Footprint(List.of(), List.of(), List.of(new Footprint.Write(key(i), value, null)));
    GmuTransaction tx = node.begin(VectorClock.ZERO, in(20_000));
    Outcome outcome = tx.commit(footprint, "test");
    tx.end();
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    return ((Outcome.Committed) outcome).clock();
  }

  /** The value of entry i, -1 where there is none, in a snapshot that has all of the token. */
  static int read(GmuNode node, VectorClock token, int i) throws TimeoutException {
    GmuTransaction tx = node.begin(token, in(20_000));
    ReadAnswer answer = tx.read(new ReadQuery.Get(key(i)));
    tx.end();
    assertThat(answer).isInstanceOf(ReadAnswer.Got.class);
    byte[] value = ((ReadAnswer.Got) answer).value();
    return value == null ? -1 : ByteBuffer.wrap(value).getInt();
  }
}
