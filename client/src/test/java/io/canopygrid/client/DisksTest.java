package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Durability;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client asks where data is only servers that can tell. */
final class DisksTest {
  private static final Reply.Disks DISKS =
      new Reply.Disks(List.of(new Reply.NodeDisk("n1", Durability.FSYNC, 100, 7)));

  @Test
  void aServerTells() throws IOException {
    try (FakeServer server = server();
        RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      assertThat(db.disks()).contains(DISKS);
    }
  }

  @Test
  void aServerOfAnOlderReleaseIsNotAsked() throws IOException {
    try (FakeServer server = server()) {
      server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_DISKS);
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
        assertThat(db.disks()).isEmpty();
        assertThat(server.received()).isEmpty();
      }
    }
  }

  private static FakeServer server() throws IOException {
    return new FakeServer(request -> request instanceof Request.AskDisks ? DISKS : null);
  }
}
