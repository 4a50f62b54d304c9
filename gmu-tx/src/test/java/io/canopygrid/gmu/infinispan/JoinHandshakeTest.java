package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that does not fit finds out before it joins, also where the members are slow. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
final class JoinHandshakeTest {
  private static final GridSettings SETTINGS =
      new GridSettings("test", 16, 2, 30_000, 1 << 20, NodeSettings.DEFAULT);
  private static final int VERSION = MessageCodec.version();
  private static final long LONG_MILLIS = 15_000;
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);

  private final Map<NodeId, HandshakeMessage> answers = new HashMap<>();
  private final Map<NodeId, Integer> asked = new HashMap<>();

  /** The number of questions to each node that are lost before one is answered. */
  private int lost;

  private final JoinHandshake handshake = new JoinHandshake(SETTINGS, new Answering(), null);

  /** Answers each question at once, on the thread that asks. */
  private final class Answering implements ByteTransport {
    @Override
    public void send(NodeId to, ByteBuffer bytes) {
      byte[] message = new byte[bytes.remaining()];
      bytes.duplicate().get(message);
      HandshakeMessage sent = HandshakeMessage.decode(message, 0, message.length);
      assertThat(sent).isNotNull().extracting(HandshakeMessage::kind).isEqualTo(Kind.JOIN_QUERY);
      int times = asked.merge(to, 1, Integer::sum);
      HandshakeMessage answer = answers.get(to);
      if (answer != null && times > lost) {
        handshake.answered(to, answer);
      }
    }
  }

  private void answers(NodeId node, Kind kind, int version) {
    answers.put(node, new HandshakeMessage(kind, version, 16, 2, null, null));
  }

  @Test
  void aMemberOfAnotherReleaseRefusesBothWays() {
    answers(A, Kind.GRID_SETTINGS, VERSION + 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .isEqualTo(
            "grid 'test' speaks protocol version %d, this node %d: all nodes run the same release"
                .formatted(VERSION + 1, VERSION));
    JoinHandshakeTest other = new JoinHandshakeTest();
    other.answers(A, Kind.GRID_SETTINGS, VERSION - 1);
    assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS)).contains("the same release");
    assertThat(other.handshake.isAnswered()).isTrue();
  }

  /** Whichever of them has the disk, and also where none of the two is a member yet. */
  @Test
  void nodesThatKeepTheirDataElsewhereRefuseEachOther() {
    for (Kind kind : List.of(Kind.GRID_SETTINGS, Kind.JOINING)) {
      JoinHandshakeTest other = new JoinHandshakeTest();
      other.answers.put(A, new HandshakeMessage(kind, VERSION, 16, 2, Durability.FSYNC, null));
      assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS))
          .isEqualTo(
              "grid 'test' keeps its data on disk, fsync, this node is set to keep it in memory:"
                  + " all nodes do the same");
    }
  }

  @Test
  void aMemberThatCannotReadHeadersOfDroppedSubtreesRefusesBothWays() {
    answers(A, Kind.GRID_SETTINGS, 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .contains("speaks protocol version 1")
        .contains("the same release");
  }

  @Test
  void aSlowMemberIsWaitedForAndAskedAgain() {
    lost = 30; // 1.5 s
    answers(A, Kind.GRID_SETTINGS, VERSION + 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).contains("the same release");
    assertThat(asked.get(A)).isGreaterThan(30);
  }

  @Test
  void aMemberThatFitsIsEnough() {
    answers(A, Kind.GRID_SETTINGS, VERSION);
    assertThat(handshake.misfit(() -> Set.of(A, B), LONG_MILLIS)).isNull();
    assertThat(handshake.isAnswered()).isTrue();
  }

  @Test
  void nodesThatAllJoinAreNotWaitedFor() {
    answers(A, Kind.JOINING, VERSION);
    answers(B, Kind.JOINING, VERSION);
    assertThat(handshake.misfit(() -> Set.of(A, B), LONG_MILLIS)).isNull();
    assertThat(handshake.isAnswered()).isFalse();
    assertThat(handshake.misfit(Set::of, LONG_MILLIS)).as("alone").isNull();
  }

  @Test
  void ofTwoReleasesThatStartAtTheSameTimeTheOlderYields() {
    answers(A, Kind.JOINING, VERSION - 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).isNull();
    JoinHandshakeTest other = new JoinHandshakeTest();
    other.answers(A, Kind.JOINING, VERSION + 1);
    assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS)).contains("the same release");
  }

  @Test
  void patienceEnds() {
    assertThat(handshake.misfit(() -> Set.of(A), 200)).isNull();
    assertThat(asked.get(A)).isPositive();
  }
}
