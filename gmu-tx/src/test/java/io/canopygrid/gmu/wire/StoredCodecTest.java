package io.canopygrid.gmu.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Values that are kept on disks come back as they were; other bytes are none. */
final class StoredCodecTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId OTHER = new NodeId(-2);

  @Test
  void recordsAndDecisionsComeBack() {
    for (long seed = 0; seed < 200; seed++) {
      MessageGenerator generator = new MessageGenerator(seed);
      Message.Prepare prepare = (Message.Prepare) generator.message(2);
      assertComesBack(prepare.record(), StoredCodec::encodeRecord, StoredCodec::decodeRecord);
      Message.Decide decide = (Message.Decide) generator.message(4);
      assertComesBack(decide.decision(), StoredCodec::encodeDecision, StoredCodec::decodeDecision);
    }
  }

  @Test
  void clocksComeBack() {
    assertComesBack(VectorClock.ZERO, StoredCodec::encodeClock, StoredCodec::decodeClock);
    assertComesBack(
        VectorClock.of(new int[] {0, 9, 4_095}, new long[] {1, Long.MAX_VALUE, 5}),
        StoredCodec::encodeClock,
        StoredCodec::decodeClock);
  }

  @Test
  void topologiesComeBack() {
    assertComesBack(
        new Topology(1, List.of(), List.of()),
        StoredCodec::encodeTopology,
        StoredCodec::decodeTopology);
    assertComesBack(
        new Topology(
            1L << 40,
            List.of(ONE, OTHER),
            List.of(
                new Placement(List.of(ONE), List.of(OTHER)),
                new Placement(List.of(), List.of()),
                new Placement(List.of(OTHER, ONE), List.of()))),
        StoredCodec::encodeTopology,
        StoredCodec::decodeTopology);
  }

  @Test
  void cutsComeBack() {
    VectorClock upTo =
        VectorClock.of(new int[] {0, 9, 4_095}, new long[] {1, Cut.UNLIMITED, 1L << 50});
    assertComesBack(List.of(), StoredCodec::encodeCuts, StoredCodec::decodeCuts);
    assertComesBack(
        List.of(new Cut(7, upTo), new Cut(1L << 40, VectorClock.ZERO), new Cut(1L << 41, upTo)),
        StoredCodec::encodeCuts,
        StoredCodec::decodeCuts);
  }

  @Test
  void anotherFormIsRefused() {
    byte[] bytes = StoredCodec.encodeClock(VectorClock.ZERO);
    bytes[0]++;
    assertThatThrownBy(() -> StoredCodec.decodeClock(bytes))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("form 2");
  }

  private static <T> void assertComesBack(
      T value, Function<T, byte[]> encode, Function<byte[], T> decode) {
    byte[] bytes = encode.apply(value);
    assertThat(Deep.text(decode.apply(bytes))).isEqualTo(Deep.text(value));
    assertThatThrownBy(() -> decode.apply(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(MalformedBytesException.class);
    assertThatThrownBy(() -> decode.apply(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(MalformedBytesException.class);
  }
}
