package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client asks for zones only servers that can tell. */
final class ServerZonesTest {
  private static final Reply.Zones ZONES =
      new Reply.Zones("", List.of(new Reply.NodeZone("n1", "a")));

  @Test
  void aServerTells() throws IOException {
    try (FakeServer server = server();
        RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      assertThat(db.zones()).contains(ZONES);
    }
  }

  @Test
  void aServerOfAnOlderReleaseIsNotAsked() throws IOException {
    try (FakeServer server = server()) {
      server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_ZONES);
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
        assertThat(db.zones()).isEmpty();
        assertThat(server.received()).isEmpty();
      }
    }
  }

  private static FakeServer server() throws IOException {
    return new FakeServer(request -> request instanceof Request.AskZones ? ZONES : null);
  }
}
