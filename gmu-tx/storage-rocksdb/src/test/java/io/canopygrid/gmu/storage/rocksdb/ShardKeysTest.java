package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of the keys' bytes is the order of shards, keys and versions. */
final class ShardKeysTest {
  private static final byte[] BYTES = {0x00, 0x01, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
  private static final long[] NUMBERS = {0, 1, 2, 255, 256, 1L << 40, Long.MAX_VALUE};
  private static final long[] WORDS = {0, 1, 0xFF, Long.MAX_VALUE, Long.MIN_VALUE, -1};
  private static final int[] SHARDS = {0, 1, 255, 256, 4_095, ShardKeys.SHARDS_MAX - 1};

  /** A version's place in the order that the keys are to have. */
  private record Place(int shard, CompositeKey key, long number, TxId tid)
      implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingInt(Place::shard)
            .thenComparing(Place::key)
            .thenComparing(
                Comparator.comparingLong(Place::number).thenComparing(Place::tid).reversed());

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }

    byte[] bytes() {
      return ShardKeys.ofVersion(shard, key, number, tid);
    }
  }

  @Test
  void shortKusAreInOrder() {
    List<byte[]> kus = new ArrayList<>(List.of(new byte[0]));
    for (int length = 1; length <= 3; length++) {
      int wanted = length - 1;
      for (byte[] ku : kus.stream().filter(k -> k.length == wanted).toList()) {
        for (byte next : BYTES) {
          byte[] longer = Arrays.copyOf(ku, length);
          longer[wanted] = next;
          kus.add(longer);
        }
      }
    }
    List<Place> places =
        kus.stream()
            .map(ku -> new Place(1, CompositeKey.of(7, ku), 3, new TxId(new NodeId(1), 1)))
            .toList();
    assertThat(places).hasSize(1 + 6 + 36 + 216);
    for (Place a : places) {
      for (Place b : places) {
        assertOrder(a, b);
      }
    }
  }

  @Test
  void randomPlacesAreInOrder() {
    Random random = new Random(1);
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      places.add(place(random));
    }
    for (Place a : places) {
      for (Place b : places) {
        assertOrder(a, b);
      }
    }
  }

  @Test
  void aPlaceIsReadBack() {
    Random random = new Random(2);
    for (int i = 0; i < 10_000; i++) {
      Place place = place(random);
      ByteReader in = new ByteReader(place.bytes());
      Place read =
          new Place(
              ShardKeys.readShard(in),
              ShardKeys.readKey(in),
              ~in.readLong(),
              ShardKeys.readTurnedTid(in));
      in.end();
      assertThat(read).isEqualTo(place);
    }
  }

  @Test
  void aShardIsARange() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      Place place = place(random);
      byte[] bytes = place.bytes();
      assertThat(Arrays.compareUnsigned(ShardKeys.firstOf(place.shard()), bytes)).isNegative();
      assertThat(Arrays.compareUnsigned(bytes, ShardKeys.firstOf(place.shard() + 1))).isNegative();
    }
    assertThatThrownBy(() -> ShardKeys.firstOf(ShardKeys.SHARDS_MAX + 1))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void logEntriesAreInOrder() {
    Random random = new Random(4);
    for (int i = 0; i < 10_000; i++) {
      Place a = place(random);
      Place b = place(random);
      int order =
          Comparator.comparingInt(Place::shard)
              .thenComparingLong(Place::number)
              .thenComparing(Place::tid)
              .compare(a, b);
      int ofBytes =
          Arrays.compareUnsigned(
              ShardKeys.ofLogEntry(a.shard(), a.number(), a.tid()),
              ShardKeys.ofLogEntry(b.shard(), b.number(), b.tid()));
      assertThat(Integer.signum(ofBytes)).as("%s, %s", a, b).isEqualTo(Integer.signum(order));
    }
  }

  @Test
  void otherBytesAreNoKey() {
    byte[] broken = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 7};
    assertThatThrownBy(() -> ShardKeys.readKey(new ByteReader(broken)))
        .isInstanceOf(MalformedBytesException.class);
    byte[] endless = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    assertThatThrownBy(() -> ShardKeys.readKey(new ByteReader(endless)))
        .isInstanceOf(MalformedBytesException.class);
  }

  private static void assertOrder(Place a, Place b) {
    assertThat(Integer.signum(Arrays.compareUnsigned(a.bytes(), b.bytes())))
        .as("%s, %s", a, b)
        .isEqualTo(Integer.signum(a.compareTo(b)));
  }

  private static Place place(Random random) {
    byte[] ku = new byte[random.nextInt(5)];
    for (int i = 0; i < ku.length; i++) {
      ku[i] = BYTES[random.nextInt(BYTES.length)];
    }
    return new Place(
        SHARDS[random.nextInt(SHARDS.length)],
        CompositeKey.of(word(random), ku),
        NUMBERS[random.nextInt(NUMBERS.length)],
        new TxId(new NodeId(word(random)), NUMBERS[random.nextInt(NUMBERS.length)]));
  }

  private static long word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }
}
