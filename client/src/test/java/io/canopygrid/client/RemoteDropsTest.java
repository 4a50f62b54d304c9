package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.Index;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.client.server.RemoteIndexes;
import io.canopygrid.transaction.Session;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client drops what it has asked for and nothing that comes later, and asks only who can. */
@NullUnmarked // the server is there while a test runs
final class RemoteDropsTest {
  private static final byte[] DEFINITIONS = Codec.string().encode("indexes");

  private final AtomicInteger number = new AtomicInteger(7);
  private final AtomicInteger answersLost = new AtomicInteger();
  private FakeServer server;
  private volatile Closeable onDrop = () -> {};

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer(this::answer);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private @Nullable Reply answer(Request request) throws IOException {
    if (request instanceof Request.OpenIndex open) {
      boolean isPart = open.name().startsWith("folks.");
      return isPart
          ? new Reply.IndexOpened(
              number.get(), open.name(), open.keyCodec(), open.valueCodec(), 1_000)
          : opened(open.name());
    }
    if (request instanceof Request.Get get && Arrays.equals(get.key(), DEFINITIONS)) {
      return new Reply.Value(Reply.Seen.NOTHING, definitions());
    }
    if (request instanceof Request.GetDefinitions) {
      return new Reply.Value(Reply.Seen.NOTHING, definitions());
    }
    if (request instanceof Request.ListIndexes) {
      return new Reply.Indexes(
          List.of(opened("a"), opened("folks.definitions"), opened("folks.rows")));
    }
    if (request instanceof Request.AskRoutes) {
      return Fakes.NO_ROUTES;
    }
    if (request instanceof Request.Drop drop) {
      boolean there = number.get() <= drop.upTo();
      if (answersLost.get() > 0) {
        answersLost.decrementAndGet();
        number.set(9); // it is dropped, and created again
        onDrop.close();
        throw new IOException("the answer is lost");
      }
      return new Reply.Count(Reply.Seen.NOTHING, there ? 1 : 0);
    }
    if (request instanceof Request.Get get && get.index() != number.get()) {
      return Reply.Failure.of(dropped(ErrorCode.UNKNOWN_INDEX, get.index()));
    }
    return request instanceof Request.Get
        ? new Reply.Value(Reply.Seen.NOTHING, Codec.int64().encode(5L))
        : null;
  }

  private Reply.IndexOpened opened(String name) {
    return new Reply.IndexOpened(number.get(), name, "int64", "int64", 1_000);
  }

  private RemoteCanopy connect() {
    return RemoteCanopy.connect("canopy://" + server.address());
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private List<ClientMessage> drops() {
    return server.received().stream().filter(Request.Drop.class::isInstance).toList();
  }

  @Test
  void whatIsSentAgainHasTheNumberOfTheFirstTime() {
    answersLost.set(2);
    try (Canopy db = connect()) {
      assertThat(db.dropIndex("a")).as("the first request may have done it").isTrue();
    }
    Request.Drop first = new Request.Drop(Request.Dropped.INDEX, "a", 7);
    assertThat(drops()).containsExactly(first, first, first);
  }

  @Test
  void whereNoServerIsLeftNobodyKnowsWhetherItIsDropped() throws IOException {
    answersLost.set(1);
    onDrop = server::close;
    try (Canopy db = connect()) {
      assertThatExceptionOfType(CanopyException.class)
          .isThrownBy(() -> db.dropIndex("a"))
          .satisfies(e -> assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN));
    }
  }

  @Test
  void aTableIsDroppedUpToTheNewestIndexThatThereIs() {
    try (Canopy db = connect()) {
      assertThat(db.dropTable("folks")).isTrue();
      assertThat(db.dropTable("others")).as("there is none").isFalse();
    }
    assertThat(drops()).containsExactly(new Request.Drop(Request.Dropped.TABLE, "folks", 7));
  }

  @Test
  void anOlderServerIsNotAsked() {
    server.knowsOnly(0);
    try (Canopy db = connect()) {
      refused(ErrorCode.PROTOCOL_ERROR, () -> db.dropIndex("a"));
      refused(ErrorCode.PROTOCOL_ERROR, () -> db.dropTable("folks"));
      assertThat(drops()).isEmpty();
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(index).get(1L))).isEqualTo(5L);
    }
  }

  @Test
  void anOlderServerLeavesATableAsItIs() {
    server.knowsOnly(0);
    try (Canopy db = connect()) {
      Table<Long, Long> folks = db.table("folks", Codec.int64(), Codec.int64());
      assertThat(folks.index("first")).isEqualTo(IndexState.READY);
      refused(ErrorCode.PROTOCOL_ERROR, () -> folks.dropIndex("first"));
      assertThat(folks.index("first")).isEqualTo(IndexState.READY);
      assertThat(server.received()).noneMatch(Request.Commit.class::isInstance);
    }
  }

  /** The definitions of a table that has an index, which is ready. */
  private static byte[] definitions() {
    ByteWriter state = new ByteWriter(64).writeByte(1).writeVarLong(1).writeVarLong(1);
    state.writeText("first").writeVarLong(1).writeText("string|many|").writeByte(1);
    return Codec.bytes().encode(state.toBytes());
  }

  private static CanopyException dropped(ErrorCode code, int number) {
    return new CanopyException(
        code,
        "it was dropped",
        CommitState.NOT_COMMITTED,
        null,
        null,
        Map.of("index", "a", "number", Integer.toString(number)));
  }

  @Test
  void anErrorSaysSomethingOfTheGridInWhichItAroseAndOfNoOther() {
    GridId former = GridId.random();
    try (ClusterView cluster =
        ClusterView.connect(
            ServerUri.parse("canopy://" + server.address()).servers(),
            ClientOptions.DEFAULTS.toSettings(),
            ClientOptions.DEFAULTS.outcomePatience(),
            new Session())) {
      RemoteIndexes indexes = cluster.indexes();
      RemoteIndex index = indexes.open(new Request.OpenIndex("a", "int64", "int64", true, 1_000));
      indexes.heard(dropped(ErrorCode.UNKNOWN_INDEX, 7), former);
      assertThat(index.isCurrent()).as("it had the number in a former grid").isTrue();
      indexes.heard(dropped(ErrorCode.WRITE_CONFLICT, 7), FakeServer.GRID.id());
      assertThat(index.isCurrent()).as("a conflict by a drop").isFalse();
    }
  }

  @Test
  void whatOthersHaveDroppedIsOpenedAnewByItsNumber() {
    try (Canopy db = connect()) {
      Index<Long, Long> old = db.index("a", Codec.int64(), Codec.int64());
      number.set(8);
      Index<Long, Long> again = db.index("a", Codec.int64(), Codec.int64());
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(again).get(1L))).isEqualTo(5L);
      refused(ErrorCode.UNKNOWN_INDEX, () -> db.read(tx -> tx.on(old).get(1L)));
      Index<Long, Long> same = db.index("a", Codec.int64(), Codec.int64());
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(same).get(1L))).isEqualTo(5L);
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(again).get(1L))).isEqualTo(5L);
    }
  }
}
