package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller's token is said whole and by itself, where the server knows of that. */
@NullUnmarked // the server is there while a test runs
final class TokensTest {
  /** The clock of the handle's session, which is newer in one shard. */
  private static final VectorClock SEEN = VectorClock.of(new int[] {7}, new long[] {9});

  private static final VectorClock TOKEN = VectorClock.of(new int[] {7, 8}, new long[] {5, 6});

  private FakeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer(request -> Fakes.ofOneIndex(request, SEEN));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** The beginnings of a read and of a function after a token, in a handle that has read before. */
  private List<Step.Begin> said() {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = db.index("n", Codec.int64(), Codec.int64());
      db.read(tx -> tx.on(index).get(1L));
      server.received().clear();
      TransactionOptions after =
          TransactionOptions.DEFAULTS.withAfter(CausalToken.of(db.grid().id(), TOKEN));
      db.read(after, tx -> tx.on(index).get(1L));
      db.execute(after, Functions.add(index, 1L, 1L));
    }
    List<Step.Begin> begins = new ArrayList<>();
    for (ClientMessage request : server.received()) {
      if (request instanceof Request.Get get && get.step().begin() != null) {
        begins.add(get.step().begin());
      } else if (request instanceof Request.Execute call) {
        begins.add(call.begin());
      }
    }
    assertThat(begins).hasSize(2);
    return begins;
  }

  @Test
  void areSaidWholeThoughMoreWasSaidBefore() {
    List<Step.Begin> begins = said();
    assertThat(begins).allSatisfy(begin -> assertThat(begin.token()).isEqualTo(TOKEN));
    assertThat(begins.get(0).after()).isEqualTo(VectorClock.ZERO);
    assertThat(begins.get(1).after())
        .as("the read has seen it, which was not said")
        .isEqualTo(VectorClock.of(new int[] {8}, new long[] {6}));
  }

  @Test
  void areJoinedToTheRestAtAServerOfAnOlderRelease() {
    server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_TOKENS);
    List<Step.Begin> begins = said();
    assertThat(begins).allSatisfy(begin -> assertThat(begin.token()).isEqualTo(VectorClock.ZERO));
    assertThat(begins.get(0).after()).isEqualTo(VectorClock.of(new int[] {8}, new long[] {6}));
    assertThat(begins.get(1).after()).as("it was said before").isEqualTo(VectorClock.ZERO);
  }
}
