package io.canopygrid.gmu.protocol.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The room that entries take, and which of them were used. */
final class EntryRoomTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[] OTHER = {4, 5};
  private static final int ENTRY = 128 + KEY.length;
  private static final int VERSION = 64;

  /** The same as if all versions were counted again each time, which takes long in long chains. */
  @Test
  void theRoomOfAKeyIsThatOfItsVersions() {
    Random random = new Random(1);
    EntryRoom room = new EntryRoom(1 << 20, 1);
    VersionChain chain = null;
    for (int number = 1; number < 2_000; number++) {
      VersionChain next = changed(random, chain, number);
      room.replaced(KEY, chain, next);
      chain = next;
      assertThat(room.bytes()).as("number %s", number).isEqualTo(counted(chain));
    }
  }

  /** Mostly another version on top of those that are there. */
  private static @Nullable VersionChain changed(
      Random random, @Nullable VersionChain chain, int number) {
    int what = random.nextInt(10);
    if (chain != null && what == 0) {
      return chain.prune(clock(number - random.nextInt(5)));
    } else if (chain != null && what == 1 && chain.canBeCold()) {
      return chain.cold();
    } else if (chain != null && what == 2) {
      return chain.above(number - random.nextInt(5));
    }
    byte[] value = random.nextInt(5) == 0 ? null : new byte[1 + random.nextInt(20)];
    TxId tid = new TxId(new NodeId(1), number);
    return VersionChain.install(chain, VersionChain.of(tid, tid, number, clock(number), value));
  }

  private static VectorClock clock(long number) {
    return VectorClock.of(new int[] {1}, new long[] {Math.max(1, number)});
  }

  private static long counted(@Nullable VersionChain chain) {
    long bytes = chain == null ? 0 : ENTRY;
    for (VersionChain v = chain; v != null; v = v.older()) {
      bytes += VERSION + (v.isCold() ? 0 : v.size());
    }
    return bytes;
  }

  @Test
  void usesAreKeptInMindWhereLittleRoomIsLeft() {
    EntryRoom room = new EntryRoom(4L * (ENTRY + VERSION), 1);
    TxId tid = new TxId(new NodeId(1), 1);
    VersionChain chain = VersionChain.of(tid, tid, 1, clock(1), null);
    for (int i = 0; i < 3; i++) {
      room.replaced(KEY, null, chain);
    }
    assertThat(room.touch(KEY)).as("much room").isTrue();
    assertThat(room.takeUsed(KEY)).isFalse();
    room.replaced(KEY, null, chain);
    assertThat(room.touch(KEY)).as("the first use").isFalse();
    assertThat(room.touch(KEY)).as("the second use").isTrue();
    assertThat(room.takeUsed(KEY)).isTrue();
    assertThat(room.takeUsed(OTHER)).isFalse();
    room.replaced(KEY, chain, null);
    room.touch(KEY);
    assertThat(room.takeUsed(KEY)).as("much room again").isFalse();
  }

  @Test
  void nothingIsCountedWhereAllStays() {
    EntryRoom room = new EntryRoom(Long.MAX_VALUE, 1);
    TxId tid = new TxId(new NodeId(1), 1);
    room.replaced(KEY, null, VersionChain.of(tid, tid, 1, clock(1), new byte[8]));
    assertThat(room.bytes()).isZero();
    assertThat(room.touch(KEY)).isTrue();
  }
}
