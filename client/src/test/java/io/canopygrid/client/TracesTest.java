package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionListener;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The place in a trace that a listener gives is said to servers that know of such. */
@NullUnmarked // the server is there while a test runs
final class TracesTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final int ALL = 4;

  private FakeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer(request -> Fakes.ofOneIndex(request, VectorClock.ZERO));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** The places that a read, a write, a caller's transaction and a function say. */
  private List<String> said(@Nullable TransactionListener listener) {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = db.index("n", Codec.int64(), Codec.int64());
      db.listen(listener);
      db.read(tx -> tx.on(index).get(1L));
      db.run(tx -> tx.on(index).put(1L, 1L));
      try (Transaction tx = db.begin()) {
        tx.on(index).get(1L);
      }
      db.execute(Functions.add(index, 1L, 1L));
    }
    List<String> said = new ArrayList<>();
    for (ClientMessage request : server.received()) {
      Step.Begin begin = null;
      if (request instanceof Request.InTransaction within) {
        begin = within.step().begin();
      } else if (request instanceof Request.Execute call) {
        begin = call.begin();
      }
      if (begin != null) {
        said.add(begin.traceParent());
      }
    }
    assertThat(said).hasSize(ALL);
    return said;
  }

  private static TransactionListener at(String parent) {
    return (call, options) ->
        new TransactionListener.Watch() {
          @Override
          public String traceParent() {
            return parent;
          }
        };
  }

  @Test
  void isSaidWithEachBeginning() {
    assertThat(said(at(PARENT))).containsOnly(PARENT);
  }

  @Test
  void isNotSaidWhereThereIsNone() {
    assertThat(said(null)).containsOnly("");
  }

  @Test
  void isNotSaidWhereTheListenerHasNone() {
    assertThat(said((call, options) -> new TransactionListener.Watch() {})).containsOnly("");
  }

  @Test
  void isNotSaidWhereItIsMalformed() {
    assertThat(said(at("00-0-0-01"))).containsOnly("");
  }

  @Test
  void isNotSaidToAServerOfAnOlderRelease() {
    server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_TRACES);
    assertThat(said(at(PARENT))).containsOnly("");
  }
}
