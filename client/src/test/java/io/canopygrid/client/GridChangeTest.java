package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A handle that outlives its grid: all servers stop, and others of a new grid take their place, in
 * which the old numbers are those of other indexes.
 */
final class GridChangeTest {
  private static final GridInfo FORMER = new GridInfo(GridId.random(), Instant.EPOCH);
  private static final GridInfo NEXT = new GridInfo(GridId.random(), Instant.EPOCH.plusSeconds(9));

  private final List<FakeServer> servers = new ArrayList<>();

  /** The numbers of the indexes of the present grid. */
  private final Map<String, Integer> numbers = new HashMap<>();

  private boolean losesCommits;

  @BeforeEach
  void start() throws IOException {
    numbers.put("orders", 4);
    servers.add(new FakeServer(this::answer, 0, FORMER));
  }

  @AfterEach
  void stop() throws IOException {
    for (FakeServer server : servers) {
      server.close();
    }
  }

  private synchronized @Nullable Reply answer(Request request) throws IOException {
    if (request instanceof Request.OpenIndex open) {
      return opened(open);
    }
    if (request instanceof Request.Commit || request instanceof Request.Execute) {
      if (losesCommits) {
        throw new EOFException("lost");
      }
      return request instanceof Request.Commit
          ? Fakes.DONE
          : new Reply.Result(Reply.Seen.NOTHING, Codec.int64().encode(1L), 0);
    }
    if (request instanceof Request.LookUp) {
      return Fakes.outcome(CommitState.NOT_COMMITTED);
    }
    if (request instanceof Request.Get) {
      return new Reply.Value(new Reply.Seen(false, Fakes.clock(3, 99)), null);
    }
    if (request instanceof Request.Scan) {
      return page(1);
    }
    if (request instanceof Request.AskChanges) {
      return new Reply.Changes(List.of());
    }
    return request instanceof Request.End || request instanceof Request.More
        ? null
        : Fakes.NO_ROUTES;
  }

  private Reply opened(Request.OpenIndex open) {
    Integer number = numbers.get(open.name());
    if (number == null && !open.create()) {
      return Reply.Failure.of(new CanopyException(ErrorCode.UNKNOWN_INDEX, "no " + open.name()));
    }
    int known = number == null ? 100 + numbers.size() : number;
    numbers.put(open.name(), known);
    return new Reply.IndexOpened(known, open.name(), "int64", "int64", 1_000);
  }

  private static Reply page(long key) {
    byte[] bytes = Codec.int64().encode(key);
    return new Reply.Page(
        new Reply.Seen(false, Fakes.clock(3, 7)), false, List.of(new Reply.Entry(bytes, bytes)));
  }

  /** All stop, and a server of a new grid is where the first one was. */
  private synchronized void replaceGrid(Map<String, Integer> indexes) throws IOException {
    int port = servers.get(0).port();
    stop();
    numbers.clear();
    numbers.putAll(indexes);
    losesCommits = false;
    for (int attempt = 1; ; attempt++) {
      try {
        servers.add(new FakeServer(this::answer, port, NEXT));
        return;
      } catch (BindException e) {
        if (attempt == 200) { // a thread that accepts has it for a moment still
          throw e;
        }
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  /** Replaces the grid and waits until a client knows that its connection is lost. */
  private void replaceGridOf(Canopy db, Index<Long, Long> orders, Map<String, Integer> indexes)
      throws IOException {
    try (Transaction open = db.begin(TransactionOptions.DEFAULTS)) {
      var unused = open.on(orders).get(1L);
      replaceGrid(indexes);
      assertThat(failure(() -> open.on(orders).get(2L)).code()).isEqualTo(ErrorCode.NOT_CONNECTED);
    }
  }

  private FakeServer next() {
    return servers.get(servers.size() - 1);
  }

  private Canopy connect() {
    return RemoteCanopy.connect(
        "canopy://" + servers.get(0).address(),
        ClientOptions.DEFAULTS.withOutcomePatience(Duration.ofSeconds(60)));
  }

  private static Index<Long, Long> orders(Canopy db) {
    return db.index("orders", Codec.int64(), Codec.int64());
  }

  private static CanopyException failure(ThrowingCallable call) {
    return catchThrowableOfType(CanopyException.class, call);
  }

  private void assertTold(ThrowingCallable call) {
    CanopyException e = failure(call);
    assertThat(e.code()).isEqualTo(ErrorCode.GRID_CHANGED);
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(e.retryable()).isFalse();
    assertThat(e.facts()).containsEntry("grid", NEXT.id().toString());
    assertThat(e).hasMessageContaining(FORMER.id().toString());
    assertThat(next().received()).as("sent to the new grid").isEmpty();
  }

  private void assertWorks(Canopy db, Index<Long, Long> orders, int number) {
    db.run(tx -> tx.on(orders).put(1L, 2L));
    List<ClientMessage> commits =
        next().received().stream().filter(Request.Commit.class::isInstance).toList();
    Request.Commit last = (Request.Commit) commits.get(commits.size() - 1);
    assertThat(last.step().writes().get(0).index()).isEqualTo(number);
    assertThat(db.grid()).isEqualTo(NEXT);
    assertThat(db.token()).isEqualTo(CausalToken.of(NEXT.id(), Fakes.clock(3, 7)));
  }

  @Test
  void aBlindWriteIsToldOnceAndThenFindsItsIndexByName() throws IOException {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      var unused = db.<Boolean, RuntimeException>read(tx -> tx.on(orders).containsKey(1L));
      assertThat(db.token()).isEqualTo(CausalToken.of(FORMER.id(), Fakes.clock(3, 99)));
      replaceGridOf(db, orders, Map.of("customers", 4, "orders", 7));
      assertTold(() -> db.run(tx -> tx.on(orders).put(1L, 1L)));
      assertWorks(db, orders, 7);
    }
  }

  @Test
  void anIndexThatIsNotThereIsUnknownUntilItIsOpenedAnew() throws IOException {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      replaceGrid(Map.of("customers", 4));
      assertTold(() -> db.read(tx -> tx.on(orders).containsKey(1L)));
      for (int i = 0; i < 2; i++) {
        CanopyException e = failure(() -> db.run(tx -> tx.on(orders).put(1L, 1L)));
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX);
        assertThat(e).hasMessageContaining("'orders'").hasMessageContaining(NEXT.id().toString());
      }
      assertThat(next().received()).isEmpty();
      Index<Long, Long> anew = orders(db);
      assertWorks(db, anew, 101);
      assertWorks(db, orders, 101);
    }
  }

  /** A change of the servers. */
  private interface Replacement {
    void run() throws IOException;
  }

  /** Replaces servers on a thread of its own as soon as the first one has been asked something. */
  private Thread onceAsked(Replacement replacement) {
    Thread replacing =
        new Thread(() -> {
          try {
            servers.get(0).awaitReceived();
            replacement.run();
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    replacing.start();
    return replacing;
  }

  @Test
  void aCommitUnderWayIsUnknownAndTheNextCallIsTold() throws Exception {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      Thread replacing;
      synchronized (this) {
        losesCommits = true;
        replacing = onceAsked(() -> replaceGrid(Map.of("orders", 7)));
      }
      CanopyException e = failure(() -> db.run(tx -> tx.on(orders).put(1L, 1L)));
      replacing.join();
      if (e.code() == ErrorCode.COMMIT_UNKNOWN) {
        assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN);
        assertThat(e).hasMessageContaining(NEXT.id().toString());
        assertTold(() -> db.read(tx -> tx.on(orders).containsKey(1L)));
      } else {
        // A server of the former grid had told that it is not committed, before it stopped.
        assertThat(e.code()).isEqualTo(ErrorCode.GRID_CHANGED);
      }
      assertThat(next().received()).noneMatch(Request.LookUp.class::isInstance);
      assertWorks(db, orders, 7);
    }
  }

  @Test
  void aFunctionUnderWayIsUnknown() throws Exception {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      synchronized (this) {
        losesCommits = true;
      }
      Thread replacing =
          onceAsked(() -> {
            servers.get(0).close();
            replaceGrid(Map.of("orders", 7));
          });
      CanopyException e = failure(() -> db.execute(Functions.add(orders, 1L, 1), Codec.int64()));
      replacing.join();
      assertThat(e.code()).isIn(ErrorCode.COMMIT_UNKNOWN, ErrorCode.GRID_CHANGED);
      assertThat(next().received()).noneMatch(Request.LookUp.class::isInstance);
      if (e.code() == ErrorCode.COMMIT_UNKNOWN) {
        assertTold(() -> db.execute(Functions.add(orders, 1L, 1), Codec.int64()));
      }
      assertThat(db.execute(Functions.add(orders, 1L, 1), Codec.int64())).isEqualTo(1);
      Request.Execute sent = (Request.Execute) next().received().get(next().received().size() - 1);
      assertThat(sent.place()).extracting(Request.Place::index).isEqualTo(7);
    }
  }

  @Test
  void anOpenTransactionFailsAndItsCallerIsTold() throws IOException {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      Transaction open = db.begin(TransactionOptions.DEFAULTS);
      var unused = open.on(orders).get(1L);
      replaceGridOf(db, orders, Map.of("orders", 7));
      open.on(orders).put(1L, 1L);
      CanopyException lost = failure(open::commit);
      assertThat(lost.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
      assertThat(lost.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
      assertTold(() -> db.run(tx -> tx.on(orders).put(1L, 1L)));
      assertWorks(db, orders, 7);
    }
  }

  @Test
  void aScanIsToldAndItsPositionIsRefused() throws IOException {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      ResumeToken[] position = new ResumeToken[1];
      assertTold(() ->
          db.read(tx -> {
            try (Cursor<Long, Long> c = tx.on(orders).scan(Range.all())) {
              Iterator<Map.Entry<Long, Long>> entries = c.iterator();
              assertThat(entries.next().getKey()).isEqualTo(1);
              position[0] = c.resumeToken();
              replaceGrid(Map.of("orders", 7));
              return entries.next();
            }
          }));
      CanopyException e =
          failure(() ->
              db.read(
                  TransactionOptions.DEFAULTS.resuming(position[0]),
                  tx -> tx.on(orders).resume(position[0])));
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN);
      assertWorks(db, orders, 7);
    }
  }

  @Test
  void aLoadDoesNotGoOnInAnotherGrid() throws IOException {
    try (Canopy db = connect()) {
      Index<Long, Long> orders = orders(db);
      try (Loader<Long, Long> loader = db.loader(orders)) {
        loader.add(1L, 1L);
        loader.flush();
        replaceGrid(Map.of("orders", 7));
        assertTold(() -> db.read(tx -> tx.on(orders).containsKey(1L)));
        loader.add(2L, 2L);
        CanopyException e = failure(loader::flush);
        assertThat(e.code()).isEqualTo(ErrorCode.GRID_CHANGED);
        assertThat(e).hasMessageContaining("during the load");
        assertThat(loader.committed()).isEqualTo(1);
        assertThat(next().received()).isEmpty();
        assertThat(failure(() -> loader.add(3L, 3L)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      }
      assertWorks(db, orders, 7);
    }
  }

  @Test
  void aStructureIsLookedUpAnew() throws IOException {
    try (Canopy db = connect()) {
      IndexStructure structure = db.structure("orders");
      assertThat(structure.changes()).isEmpty();
      replaceGrid(Map.of("customers", 4, "orders", 7));
      assertTold(structure::changes);
      assertThat(structure.changes()).isEmpty();
      assertThat(next().received()).contains(new Request.AskChanges(7));
    }
  }

  @Test
  void aServerOfAnotherGridIsLeftAloneWhileThereIsOneOfThisGrid() throws IOException {
    try (FakeServer other = new FakeServer(this::answer, 0, NEXT);
        Canopy db =
            RemoteCanopy.connect("canopy://" + servers.get(0).address() + "," + other.address())) {
      GridInfo mine = db.grid();
      FakeServer own = mine.equals(NEXT) ? other : servers.get(0);
      Index<Long, Long> orders = orders(db);
      for (long i = 0; i < 20; i++) {
        long key = i;
        db.run(tx -> tx.on(orders).put(key, key));
      }
      assertThat(own.received()).hasSize(20);
      assertThat(db.grid()).isEqualTo(mine);
    }
  }
}
