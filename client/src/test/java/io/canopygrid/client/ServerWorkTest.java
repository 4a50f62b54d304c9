package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.RunningJob;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client asks for hot entries and long jobs only servers that can tell. */
final class ServerWorkTest {
  private static final Reply.HotEntries HOT =
      new Reply.HotEntries(List.of(new HotNode("n1", HotNode.Mode.ON, 1, 2, 3, 4)), List.of(), 0);
  private static final Reply.Work WORK =
      new Reply.Work(List.of(new RunningJob("load", "people", 1, 2)), 5, "a backup");

  @Test
  void aServerTells() throws IOException {
    try (FakeServer server = server();
        RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      assertThat(db.hotEntries(7)).contains(HOT);
      assertThat(db.work()).contains(WORK);
      assertThat(server.received()).contains(new Request.AskHotEntries(7), new Request.AskWork());
    }
  }

  @Test
  void aServerOfAnOlderReleaseIsNotAsked() throws IOException {
    try (FakeServer server = server()) {
      server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_HOT & ~WireLimits.FEATURE_WORK);
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
        assertThat(db.hotEntries(7)).isEmpty();
        assertThat(db.work()).isEmpty();
        assertThat(server.received()).isEmpty();
      }
    }
  }

  private static FakeServer server() throws IOException {
    return new FakeServer(request ->
        request instanceof Request.AskHotEntries
            ? HOT
            : request instanceof Request.AskWork ? WORK : null);
  }
}
