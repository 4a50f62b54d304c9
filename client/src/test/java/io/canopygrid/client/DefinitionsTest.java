package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Table;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer of rows reads the definitions once, and validates them only where it has to. */
@NullUnmarked // the server is there while a test runs
final class DefinitionsTest {
  private static final int ROWS = 7;
  private static final int DEFINITIONS = 8;

  private FakeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer(DefinitionsTest::answer);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static @Nullable Reply answer(Request request) {
    if (request instanceof Request.OpenIndex open) {
      int number = open.name().endsWith(".rows") ? ROWS : DEFINITIONS;
      return new Reply.IndexOpened(number, open.name(), open.keyCodec(), open.valueCodec(), 1_000);
    }
    if (request instanceof Request.AskRoutes) {
      return Fakes.NO_ROUTES;
    }
    if (request instanceof Request.Get || request instanceof Request.GetDefinitions) {
      return new Reply.Value(Reply.Seen.NOTHING, null);
    }
    return request instanceof Request.Commit ? Fakes.DONE : null;
  }

  /** The requests of a transaction that puts two rows. */
  private List<Request> asked() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Table<Long, Long> table = db.table("folks", Codec.int64(), Codec.int64());
      server.received().clear();
      db.run(tx -> {
        tx.on(table).put(1L, 1L);
        tx.on(table).put(2L, 2L);
      });
    }
    return server.received().stream()
        .filter(Request.InTransaction.class::isInstance)
        .map(Request.class::cast)
        .toList();
  }

  @Test
  void areReadOnceAndNotValidated() {
    List<Request> asked = asked();
    assertThat(asked).hasSize(4);
    assertThat(asked.get(0)).isInstanceOf(Request.Get.class);
    Step step = ((Request.GetDefinitions) asked.get(1)).step();
    assertThat(asked.get(1))
        .usingRecursiveComparison()
        .isEqualTo(new Request.GetDefinitions(step, DEFINITIONS, ROWS));
    assertThat(asked.get(2)).isInstanceOf(Request.Get.class);
    assertThat(asked.get(3)).isInstanceOf(Request.Commit.class);
  }

  @Test
  void areReadAsAnyKeyAtAServerOfAnOlderRelease() {
    server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_SCHEMAS);
    List<Request> asked = asked();
    assertThat(asked).hasSize(4);
    assertThat(((Request.Get) asked.get(1)).index()).isEqualTo(DEFINITIONS);
    assertThat(asked).noneMatch(Request.GetDefinitions.class::isInstance);
  }
}
