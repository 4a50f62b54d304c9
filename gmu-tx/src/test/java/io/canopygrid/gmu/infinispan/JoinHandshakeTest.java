package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.transport.ByteTransport;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.wire.ProtocolLevel;
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
  private static final int LEVEL = ProtocolLevel.highest();
  private static final long LONG_MILLIS = 15_000;
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);

  private final Map<NodeId, HandshakeMessage> answers = new HashMap<>();
  private final Map<NodeId, Integer> asked = new HashMap<>();

  /** The number of questions to each node that are lost before one is answered. */
  private int lost;

  private final GridLevel level = new GridLevel();

  private final JoinHandshake handshake = new JoinHandshake(SETTINGS, new Answering(), null, level);

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

  private void answers(NodeId node, Kind kind, int theirs) {
    answers.put(node, new HandshakeMessage(kind, theirs, 16, 2, null, null));
  }

  @Test
  void aGridAtALevelThatIsNotSpokenIsNotJoined() {
    answers(A, Kind.GRID_SETTINGS, LEVEL + 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .isEqualTo(
            "grid 'test' is at level %d, and this release speaks levels %d to %d: start the release"
                + " that the other nodes run",
            LEVEL + 1, LEVEL - 1, LEVEL);
    JoinHandshakeTest other = new JoinHandshakeTest();
    other.answers(A, Kind.GRID_SETTINGS, LEVEL - 2);
    assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .isEqualTo(
            "grid 'test' is at level %d, and this release speaks levels %d to %d: start a release"
                + " before this one, and finalize the upgrade to that first",
            LEVEL - 2, LEVEL - 1, LEVEL);
    assertThat(other.handshake.isAnswered()).isTrue();
    assertThat(level.level()).as("what is not spoken is not written").isEqualTo(LEVEL);
  }

  @Test
  void aGridAtTheLevelBeforeIsJoinedAndWrittenToAtThat() {
    assertThat(level.level()).as("without any grid").isEqualTo(LEVEL);
    answers(A, Kind.GRID_SETTINGS, LEVEL - 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).isNull();
    assertThat(level.level()).isEqualTo(LEVEL - 1);
    assertThat(level.joined()).as("what it tells others").isEqualTo(LEVEL - 1);
  }

  /** A node that joins knows the level of its disk, which may not be that of the grid. */
  @Test
  void thoseWhoJoinAreNotBelieved() {
    answers(A, Kind.JOINING, LEVEL - 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).isNull();
    assertThat(level.level()).isEqualTo(LEVEL);
  }

  /** Whichever of them has the disk, and also where none of the two is a member yet. */
  @Test
  void nodesThatKeepTheirDataElsewhereRefuseEachOther() {
    for (Kind kind : List.of(Kind.GRID_SETTINGS, Kind.JOINING)) {
      JoinHandshakeTest other = new JoinHandshakeTest();
      other.answers.put(A, new HandshakeMessage(kind, LEVEL, 16, 2, Durability.FSYNC, null));
      assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS))
          .isEqualTo(
              "grid 'test' keeps its data on disk, fsync, this node is set to keep it in memory:"
                  + " all nodes do the same");
    }
  }

  @Test
  void aMemberThatCannotReadHeadersOfDroppedSubtreesIsRefused() {
    answers(A, Kind.GRID_SETTINGS, 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).contains("is at level 1");
  }

  @Test
  void aSlowMemberIsWaitedForAndAskedAgain() {
    lost = 30; // 1.5 s
    answers(A, Kind.GRID_SETTINGS, LEVEL + 1);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .contains("start the release that the other nodes run");
    assertThat(asked.get(A)).isGreaterThan(30);
  }

  @Test
  void aMemberThatFitsIsEnough() {
    answers(A, Kind.GRID_SETTINGS, LEVEL);
    assertThat(handshake.misfit(() -> Set.of(A, B), LONG_MILLIS)).isNull();
    assertThat(handshake.isAnswered()).isTrue();
  }

  @Test
  void nodesThatAllJoinAreNotWaitedFor() {
    answers(A, Kind.JOINING, LEVEL);
    answers(B, Kind.JOINING, LEVEL);
    assertThat(handshake.misfit(() -> Set.of(A, B), LONG_MILLIS)).isNull();
    assertThat(handshake.isAnswered()).isFalse();
    assertThat(handshake.misfit(Set::of, LONG_MILLIS)).as("alone").isNull();
  }

  @Test
  void ofTwoReleasesThatStartAtTheSameTimeTheOlderYields() {
    answers(A, Kind.JOINING, LEVEL - 2);
    assertThat(handshake.misfit(() -> Set.of(A), LONG_MILLIS)).isNull();
    JoinHandshakeTest other = new JoinHandshakeTest();
    other.answers(A, Kind.JOINING, LEVEL + 1);
    assertThat(other.handshake.misfit(() -> Set.of(A), LONG_MILLIS))
        .contains("start the release that the other nodes run");
  }

  @Test
  void patienceEnds() {
    assertThat(handshake.misfit(() -> Set.of(A), 2_000)).isNull();
    assertThat(asked.get(A)).isPositive();
  }
}
