package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.GridId;
import io.canopygrid.Index;
import io.canopygrid.Limits;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.FeedCommitBytes;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the requests about change feeds and their answers. */
@NullUnmarked // fields are set before each test
final class FeedRequestsTest {
  private static final int MANY = 1 << 20;
  private static final Duration LONG = Duration.ofMinutes(1);

  private TestServer server;
  private TestClient client;
  private Index<Long, Long> things;
  private int number;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer(EndpointLimits.DEFAULTS);
    client = TestClient.greeted(server.port());
    things = server.node().index("things", Codec.int64(), Codec.int64());
    number = SimulatedHandle.numberOf(server.node(), things);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private void put(long key, long value) {
    server.node().run(tx -> tx.on(things).put(key, value));
  }

  private Request.ReadChanges after(long feed, VectorClock clock, int bytesMax) {
    return after(feed, server.node().grid().id(), clock, bytesMax);
  }

  private Request.ReadChanges after(
      long feed, @Nullable GridId grid, VectorClock clock, int bytesMax) {
    Request.Told told = new Request.Told(grid, clock);
    return new Request.ReadChanges(feed, number, KeyRange.ALL, "", told, 0, bytesMax);
  }

  private <M extends ClientMessage> M asked(Request request, Class<M> wanted) throws IOException {
    client.say(1, request);
    return client.hear(wanted);
  }

  private Reply.FeedChanges told(Request request) throws IOException {
    return asked(request, Reply.FeedChanges.class);
  }

  private ErrorCode refused(Request request) throws IOException {
    int code = asked(request, Reply.Failure.class).code();
    return ErrorCode.find(Integer.toString(code)).orElseThrow();
  }

  private Reply.FeedChanges opened() throws IOException {
    return told(new Request.ReadChanges(0, number, KeyRange.ALL, "", null, 0, 0));
  }

  private static List<Long> values(Reply.FeedChanges told) {
    return told.pieces().stream()
        .map(piece -> FeedCommitBytes.decode(piece).changes().get(0).after())
        .map(value -> Codec.int64().decode(Objects.requireNonNull(value)))
        .toList();
  }

  /** Asks until so much was told; the same clock is asked twice, as where an answer is lost. */
  private Reply.FeedChanges read(Reply.FeedChanges at, List<Long> wanted) throws IOException {
    Reply.FeedChanges last = at;
    int seen = 0;
    while (seen < wanted.size()) {
      Request again = after(last.feed(), last.clock(), MANY);
      List<Long> lost = values(told(again));
      last = told(again);
      List<Long> told = values(last);
      assertThat(told.subList(0, lost.size())).isEqualTo(lost);
      assertThat(told).isEqualTo(wanted.subList(seen, seen + told.size()));
      seen += told.size();
    }
    return last;
  }

  /** Nothing is retained beside what the feed holds: each write makes the one before garbage. */
  @Test
  void aLostAnswerIsGivenAgainWhateverIsCollected() throws IOException {
    Reply.FeedChanges at = opened();
    for (long i = 0; i < 50; i++) {
      for (long j = 0; j < 20; j++) {
        put(1, 20 * i + j);
      }
      List<Long> wanted = LongStream.range(20 * i, 20 * i + 20).boxed().toList();
      at = read(at, wanted);
    }
    assertThat(server.node().stats().total().commits()).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void anotherConnectionGoesOnAndAnotherClockOpensAnotherFeed() throws IOException {
    Reply.FeedChanges first = opened();
    put(1, 1);
    Reply.FeedChanges second = read(first, List.of(1L));
    put(1, 2);
    client.close();
    client = TestClient.greeted(server.port());
    Reply.FeedChanges third = read(second, List.of(2L));
    assertThat(third.feed()).isEqualTo(first.feed());
    Reply.FeedChanges elsewhere = told(after(7, third.clock(), MANY));
    assertThat(elsewhere.feed()).isNotIn(7L, third.feed());
    assertThat(elsewhere.first()).isTrue();
  }

  @Test
  void aClosedFeedHoldsNothingAndOldChangesAreLost() throws IOException {
    Reply.FeedChanges at = opened();
    client.say(2, new Request.CloseFeed(at.feed()));
    Awaitility.await()
        .until(() -> {
          for (long i = 0; i < 100; i++) {
            put(1, i);
          }
          client.say(1, after(at.feed(), at.clock(), MANY));
          ClientMessage answer = client.hear().message();
          if (answer instanceof Reply.FeedChanges told) {
            client.say(3, new Request.CloseFeed(told.feed()));
          }
          return answer instanceof Reply.Failure failure
              && failure.code() == ErrorCode.CHANGES_LOST.number();
        });
  }

  @Test
  void aClockThatIsNotOfTheGridIsRefusedAndTheConnectionGoesOn() throws IOException {
    put(1, 0);
    Reply.FeedChanges at = opened();
    while (at.clock().size() == 0) {
      at = opened(); // a moment later
    }
    GridId other = new GridId(1, 2);
    assertThat(refused(after(0, other, at.clock(), MANY))).isEqualTo(ErrorCode.INVALID_TOKEN);
    assertThat(refused(after(0, null, at.clock(), 0))).isEqualTo(ErrorCode.INVALID_TOKEN);
    VectorClock future = VectorClock.of(new int[] {0}, new long[] {1L << 60});
    client.say(1, after(0, future, MANY));
    assertThat(client.hear().message()).isInstanceOf(Reply.Failure.class);
    assertThat(told(after(at.feed(), at.clock(), MANY)).feed()).isEqualTo(at.feed());
  }

  @Test
  void whatIsNotThereHasNoFeed() throws IOException {
    Reply.FeedChanges at = opened();
    Request unknown = new Request.ReadChanges(0, number, KeyRange.ALL, "night", null, 0, 0);
    assertThat(refused(unknown)).isEqualTo(ErrorCode.UNKNOWN_SNAPSHOT);
    server.node().dropIndex("things");
    Reply.Failure dropped = asked(after(at.feed(), at.clock(), MANY), Reply.Failure.class);
    assertThat(dropped.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX.number());
    assertThat(dropped.facts()).contains(new Reply.Fact("number", Integer.toString(number)));
    Request anew = new Request.ReadChanges(0, number, KeyRange.ALL, "", null, 0, 0);
    assertThat(refused(anew)).isEqualTo(ErrorCode.UNKNOWN_INDEX);
    assertThat(refused(new Request.ReadChanges(0, 99, KeyRange.ALL, "", null, 0, 0)))
        .isEqualTo(ErrorCode.UNKNOWN_INDEX);
  }

  /** The value before and the one since are longer together than a frame. */
  @Test
  void aChangeThatIsLongerThanAFrameIsTold() {
    byte[] before = new byte[Limits.VALUE_BYTES_MAX];
    byte[] since = new byte[Limits.VALUE_BYTES_MAX];
    Arrays.fill(since, (byte) 7);
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, byte[]> large = db.index("large", Codec.int64(), Codec.bytes());
      db.run(tx -> tx.on(large).put(1L, before));
      try (ChangeFeed<Long, byte[]> feed = db.changes(large, FeedOptions.fromNow())) {
        db.run(tx -> {
          tx.on(large).put(1L, since);
          tx.on(large).put(2L, before);
        });
        ChangeSet<Long, byte[]> set = feed.next(LONG);
        while (set != null && set.changes().size() == 1) {
          set = feed.next(LONG); // the first one may have been right before the feed began
        }
        assertThat(set.changes()).hasSize(2);
        assertThat(set.changes().get(0).before()).isEqualTo(before);
        assertThat(set.changes().get(0).after()).isEqualTo(since);
        assertThat(set.changes().get(1).before()).isNull();
      }
    }
  }

  @Test
  void rightsAreLookedAtEachTime() {
    try (TestServer guarded = TestServer.guarded()) {
      Index<Long, Long> index = guarded.node().index("things", Codec.int64(), Codec.int64());
      grant(guarded, "reader");
      ClientOptions ada = ClientOptions.DEFAULTS.as("ada", "secret");
      try (Canopy db = RemoteCanopy.connect("canopy://" + guarded.address(), ada)) {
        Index<Long, Long> there = db.index("things", Codec.int64(), Codec.int64());
        ChangeFeed<Long, Long> feed = db.changes(there, FeedOptions.fromNow());
        guarded.node().run(tx -> tx.on(index).put(1L, 1L));
        assertThat(feed.next(LONG)).isNotNull();
        grant(guarded, null);
        Awaitility.await()
            .atMost(LONG) // rights are known for some seconds
            .untilAsserted(() ->
                assertThatExceptionOfType(CanopyException.class)
                    .isThrownBy(() -> feed.next(Duration.ZERO))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN)));
      }
    }
  }

  private static void grant(TestServer server, @Nullable String role) {
    List<Request.Grant> grants =
        role == null ? List.of() : List.of(new Request.Grant("things", role));
    server.users().put(new Request.PutUser("ada", Credentials.of("secret".toCharArray()), grants));
  }
}
