package io.canopygrid.gmu.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.RoundMessage;
import io.canopygrid.gmu.recovery.RoundMessage.Agrees;
import io.canopygrid.gmu.recovery.RoundMessage.Promises;
import io.canopygrid.gmu.recovery.RoundMessage.Proposal;
import io.canopygrid.gmu.recovery.RoundMessage.Proposes;
import io.canopygrid.gmu.recovery.RoundMessage.Tells;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of the founding round, to bytes and back. */
final class RoundCodecTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(Long.MIN_VALUE);
  private static final UUID GRID = new UUID(-1, 7);
  private static final VectorClock SEEN = VectorClock.ZERO.with(0, 5).with(300, 1L << 50);
  private static final Topology TOPOLOGY =
      new Topology(
          1L << 30,
          List.of(ONE, TWO),
          List.of(
              new Placement(List.of(ONE), List.of(TWO)),
              new Placement(List.of(), List.of()),
              new Placement(List.of(TWO, ONE), List.of())));
  private static final Losses LOSSES =
      new Losses(2, Map.of(ONE, 7L, TWO, 4L), 1L << 30, Set.of(0, 999));
  private static final Cut CUT =
      new Cut(1L << 30, VectorClock.ZERO.with(0, 3).with(2, Cut.UNLIMITED).with(300, 1L << 49));

  private static Proposal proposal(@Nullable Cut cut) {
    List<List<NodeId>> owners = List.of(List.of(ONE), List.of());
    return new Proposal(9, GRID, List.of(ONE), owners, List.of(TOPOLOGY), SEEN, LOSSES, cut);
  }

  /** A disk that a power cut has met, of which each clock is another one. */
  private static Standing cutOff(boolean mayLack, @Nullable Cut cut) {
    return new Standing(
        new DiskId(-3),
        GRID,
        List.of(ONE, TWO),
        TOPOLOGY,
        List.of(TOPOLOGY),
        Set.of(0, 2),
        SEEN,
        4,
        LOSSES,
        SEEN.with(2, 9),
        SEEN.with(2, 8),
        mayLack,
        cut);
  }

  static Stream<RoundMessage> messages() {
    DiskId disk = new DiskId(-3);
    return Stream.of(
        new Tells(
            new Standing(disk, null, List.of(), null, List.of(), Set.of(), VectorClock.ZERO, 0)),
        new Tells(new Standing(disk, GRID, List.of(ONE), TOPOLOGY, null, Set.of(0, 999), SEEN, 4)),
        new Tells(
            new Standing(
                disk, GRID, List.of(ONE, TWO), TOPOLOGY, List.of(TOPOLOGY), Set.of(2), SEEN, 4)),
        new Tells(
            new Standing(disk, GRID, List.of(ONE), TOPOLOGY, null, Set.of(2), SEEN, 4)
                .with(LOSSES)),
        new Tells(cutOff(true, CUT)),
        new Tells(cutOff(false, CUT)),
        new Tells(cutOff(true, null)),
        new Proposes(proposal(null)),
        new Proposes(proposal(CUT)),
        new Promises(Long.MAX_VALUE),
        new Agrees(proposal(CUT)));
  }

  @Test
  void wordsOnLostDisksAreReadAsTheyWereWritten() {
    assertThat(RoundCodec.decodeLosses(RoundCodec.encode(LOSSES))).isEqualTo(LOSSES);
    assertThat(RoundCodec.decodeLosses(RoundCodec.encode(Losses.NONE))).isEqualTo(Losses.NONE);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void eachIsReadAsItWasWritten(RoundMessage message) {
    byte[] bytes = RoundCodec.encode(message);
    assertThat(RoundCodec.isKind(bytes[0])).isTrue();
    assertThat(RoundCodec.decode(bytes, 0, bytes.length)).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void bytesThatAreCutOffOrTooManyAreRefused(RoundMessage message) {
    byte[] bytes = RoundCodec.encode(message);
    for (int length = 1; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> RoundCodec.decode(bytes, 0, cut))
          .isInstanceOf(MalformedBytesException.class);
    }
    assertThatThrownBy(
            () -> RoundCodec.decode(Arrays.copyOf(bytes, bytes.length + 1), 0, bytes.length + 1))
        .isInstanceOf(MalformedBytesException.class);
  }

  /** Other bytes are refused or are another message, and nothing else happens. */
  @ParameterizedTest
  @MethodSource("messages")
  void changedBytesAreRefusedOrAnotherMessage(RoundMessage message) {
    byte[] bytes = RoundCodec.encode(message);
    Random random = new Random(bytes.length);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = bytes.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      try {
        RoundCodec.decode(changed, 0, changed.length);
        read++;
      } catch (MalformedBytesException e) {
        // as it should
      }
    }
    assertThat(read).isBetween(1, 20_000);
  }
}
