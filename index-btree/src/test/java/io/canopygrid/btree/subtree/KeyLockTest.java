package io.canopygrid.btree.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Locks in headers: they go with their keys, and keep others from writing there. */
final class KeyLockTest {
  private static final byte[] M = key("m");
  private static final SubtreeFences FENCES = new SubtreeFences();

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static KeyLock lock(long owner, boolean writes, String from, String to) {
    return KeyLock.of(owner, writes, key(from), key(to));
  }

  private static SubtreeHeader holding(KeyLock... locks) {
    return SubtreeHeader.first(1, 8).withMoreLocks(List.of(locks));
  }

  private static boolean accepts(SubtreeHeader header, String key) {
    byte[] ku = EntryKeys.ku(key(key));
    boolean decoded = header.lockOf(key(key)) == null;
    boolean inPlace = FENCES.accepts(header.encode(), ku);
    assertThat(inPlace).as("%s in %s", key, header).isEqualTo(decoded);
    assertThat(FENCES.covers(header.encode(), ku)).isTrue();
    return inPlace;
  }

  @Test
  void aLockKeepsItsKeysFromBeingWritten() {
    SubtreeHeader header = holding(lock(7, false, "b", "d"), lock(8, true, "x", "x\0"));
    assertThat(SubtreeHeader.decode(header.encode()).locks()).isEqualTo(header.locks());
    assertThat(SubtreeHeader.decode(header.withSchema(3).encode()).schema()).isEqualTo(3);
    assertThat(List.of(accepts(header, "a"), accepts(header, "d"), accepts(header, "y")))
        .containsOnly(true);
    assertThat(List.of(accepts(header, "b"), accepts(header, "czz"), accepts(header, "x")))
        .containsOnly(false);
    assertThat(accepts(header.withoutLocksOf(7), "b")).isTrue();
    assertThat(accepts(header.withoutLocksOf(7), "x")).isFalse();
    assertThat(header.withoutLocksOf(7).withoutLocksOf(8).encode())
        .isEqualTo(SubtreeHeader.first(1, 8).encode());
  }

  @Test
  void aLockWithoutAnEndGoesToTheEnd() {
    SubtreeHeader header = holding(KeyLock.of(7, false, M, null));
    assertThat(accepts(header, "l")).isTrue();
    assertThat(accepts(header, "zzz")).isFalse();
    assertThat(SubtreeHeader.decode(header.encode()).locks()).isEqualTo(header.locks());
  }

  @Test
  void locksGoWithTheirKeys() {
    KeyLock low = lock(7, false, "b", "d");
    KeyLock across = lock(7, true, "k", "p");
    KeyLock high = lock(8, true, "x", "y");
    SubtreeHeader whole = holding(low, across, high);
    SubtreeHeader lower = whole.withHigh(M, 99);
    SubtreeHeader upper = whole.born(M, 22, 22);
    assertThat(lower.locks()).containsExactly(low, across);
    assertThat(upper.locks()).containsExactly(across, high);
    assertThat(lower.withHigh(null, SubtreeHeader.NONE).withLocksOf(upper).locks())
        .containsExactly(low, across, high);
    assertThat(whole.retired(5).locks()).isEmpty();
    assertThat(whole.withClosing(new Closing(Closing.To.NEW, M)).locks()).hasSize(3);
  }

  @Test
  void twoThatReadExcludeNothing() {
    assertThat(lock(7, false, "a", "c").excludes(lock(8, false, "b", "d"))).isFalse();
    assertThat(lock(7, true, "a", "c").excludes(lock(8, false, "b", "d"))).isTrue();
    assertThat(lock(7, false, "a", "c").excludes(lock(8, true, "b", "d"))).isTrue();
    assertThat(lock(7, true, "a", "b").excludes(lock(8, true, "b", "d"))).isFalse();
    assertThat(lock(7, true, "a", "c").excludes(lock(7, true, "a", "c"))).isFalse();
  }

  @Test
  void longKeysAreCutToWiderLocks() {
    byte[] from = new byte[200];
    Arrays.fill(from, (byte) 5);
    byte[] to = from.clone();
    to[199] = 6;
    KeyLock lock = KeyLock.of(7, true, from, to);
    assertThat(lock.from()).hasSize(KeyLock.KEY_BYTES_MAX);
    assertThat(lock.contains(from)).isTrue();
    assertThat(lock.overlaps(from, to)).isTrue();
    Arrays.fill(to, (byte) 0xFF);
    assertThat(KeyLock.of(7, true, from, to).to()).isNull();
  }

  @Test
  void theHeaderAndOtherKeysAreNotHeld() {
    SubtreeHeader header = holding(KeyLock.of(7, true, new byte[0], null));
    byte[] schema = EntryKeys.schema(1, 4).ku();
    assertThat(FENCES.covers(header.encode(), schema)).isTrue();
    assertThat(FENCES.accepts(header.encode(), CompositeKey.header(1).ku())).isFalse();
  }
}
