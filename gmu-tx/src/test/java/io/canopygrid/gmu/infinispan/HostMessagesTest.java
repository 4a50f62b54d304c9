package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.state.StateAck;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of each message of a host are read as that message, and as no other. */
final class HostMessagesTest {
  private static List<Object> readings(byte[] bytes) {
    List<Object> readings = new ArrayList<>();
    readings.add(TopologyNotice.decode(bytes, 0, bytes.length));
    readings.add(TopologyStatus.decode(bytes, 0, bytes.length));
    readings.add(StateAck.decode(bytes, 0, bytes.length));
    readings.add(LeaveTurn.decode(bytes, 0, bytes.length));
    readings.add(BackSoon.decode(bytes, 0, bytes.length));
    readings.add(HandshakeMessage.decode(bytes, 0, bytes.length));
    readings.removeIf(Objects::isNull);
    return readings;
  }

  @Test
  void eachMessageHasItsOwnBytes() {
    TopologyNotice question = new TopologyNotice(true, 7, 3);
    TopologyNotice notice = new TopologyNotice(false, 7, 3);
    TopologyStatus status =
        new TopologyStatus(3, 5, true, 9, List.of(new NodeId(1), new NodeId(-1)));
    StateAck ack = new StateAck(5, 3, 9, 2);
    LeaveTurn turn = new LeaveTurn(false, 4);
    BackSoon stop = new BackSoon(true, 120_000);
    BackSoon heard = new BackSoon(false, 0);

    assertThat(readings(question.encode())).containsExactly(question);
    assertThat(readings(notice.encode())).containsExactly(notice);
    assertThat(readings(status.encode())).containsExactly(status);
    assertThat(readings(ack.encode())).containsExactly(ack);
    assertThat(readings(turn.encode())).containsExactly(turn);
    assertThat(readings(stop.encode())).containsExactly(stop);
    assertThat(readings(heard.encode())).containsExactly(heard);
    for (Kind kind : Kind.values()) {
      HandshakeMessage message = new HandshakeMessage(kind, 1, 64, 2, null, null);
      assertThat(readings(message.encode())).containsExactly(message);
      HandshakeMessage stored =
          new HandshakeMessage(kind, 1, 64, 2, Durability.FSYNC, new UUID(-1, 5));
      assertThat(readings(stored.encode())).containsExactly(stored);
    }
  }
}
