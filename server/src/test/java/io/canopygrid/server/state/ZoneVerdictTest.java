package io.canopygrid.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The zones of nodes as people see them. */
final class ZoneVerdictTest {
  @Test
  void saysTheZonesOfThoseThatTell() {
    ZoneVerdict verdict =
        ZoneVerdict.of(
            Optional.of(new Reply.Zones("", List.of(new Reply.NodeZone("n1", "east/b7")))));
    assertThat(verdict.isKnown()).isTrue();
    assertThat(verdict.zone("n1")).isEqualTo("east/b7");
    assertThat(verdict.zone("n2")).isNull();
    assertThat(verdict.text()).isNull();
    assertThat(verdict.problem()).isNull();
  }

  @Test
  void saysWhereCopiesShareAZone() {
    ZoneVerdict verdict = ZoneVerdict.of(Optional.of(new Reply.Zones("2 of 16", List.of())));
    assertThat(verdict.text()).isEqualTo("zones: 2 of 16");
    assertThat(verdict.problem()).isEqualTo("2 of 16");
  }

  @Test
  void aServerOfAnOlderReleaseSaysNothing() {
    ZoneVerdict verdict = ZoneVerdict.of(Optional.empty());
    assertThat(verdict.isKnown()).isFalse();
    assertThat(verdict.text()).isNull();
  }
}
