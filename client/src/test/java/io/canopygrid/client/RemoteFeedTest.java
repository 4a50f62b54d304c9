package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Change;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.Index;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedCommitBytes;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The questions of a client's feed, and what it makes of the answers. */
final class RemoteFeedTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Reply LOST = new Reply.Drain(0);

  private final BlockingQueue<Reply> answers = new LinkedBlockingQueue<>();
  private final List<Request.ReadChanges> questions = new CopyOnWriteArrayList<>();

  /** Waits for a feed that is given up. */
  private final CountDownLatch given = new CountDownLatch(1);

  private FakeServer server() throws IOException {
    return new FakeServer(request -> {
      if (request instanceof Request.CloseFeed) {
        given.countDown();
      }
      if (!(request instanceof Request.ReadChanges read)) {
        return Fakes.ofOneIndex(request, VectorClock.ZERO);
      }
      questions.add(read);
      if (read.bytesMax() == 0) {
        return part(5, true, false, Fakes.clock(3, 1));
      }
      Reply next = answers.poll();
      if (LOST.equals(next)) {
        throw new EOFException("as it should");
      }
      return next == null ? part(5, true, false, read(read)) : next;
    });
  }

  private static VectorClock read(Request.ReadChanges read) {
    return read.after() == null ? VectorClock.ZERO : read.after().clock();
  }

  private static Reply part(
      long feed, boolean first, boolean more, VectorClock clock, byte[]... pieces) {
    return new Reply.FeedChanges(feed, first, more, false, clock, List.of(pieces));
  }

  private static byte[] commit(String key, @Nullable String before, @Nullable String after) {
    FeedCommit.Changed changed =
        new FeedCommit.Changed(bytes(key), optional(before), optional(after));
    return FeedCommitBytes.encode(new FeedCommit(List.of(changed)));
  }

  private static byte[] bytes(String text) {
    return Codec.string().encode(text);
  }

  private static byte @Nullable [] optional(@Nullable String text) {
    return text == null ? null : bytes(text);
  }

  private static Canopy connected(FakeServer server) {
    return RemoteCanopy.connect("canopy://" + server.address());
  }

  private static ChangeFeed<String, String> opened(Canopy db) {
    Index<String, String> index = db.index("things", Codec.string(), Codec.string());
    return db.changes(index, FeedOptions.fromNow());
  }

  private static @Nullable ChangeSet<String, String> now(ChangeFeed<String, String> feed) {
    return feed.next(Duration.ZERO);
  }

  @Test
  void aServerOfAnOlderReleaseIsNotAsked() throws IOException {
    try (FakeServer server = server()) {
      server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_FEEDS);
      try (Canopy db = connected(server)) {
        assertThat(Refusal.of(ErrorCode.PROTOCOL_ERROR, () -> opened(db)))
            .hasMessageContaining("older release")
            .hasMessageContaining("no change feeds");
        assertThat(questions).isEmpty();
      }
    }
  }

  @Test
  void aGroupIsToldWhenAllOfItIsThere() throws IOException {
    byte[] first = commit("a", null, "1");
    byte[] second = commit("b", "1", null);
    try (FakeServer server = server();
        Canopy db = connected(server);
        ChangeFeed<String, String> feed = opened(db)) {
      assertThat(questions.get(0).after()).isNull();
      answers.add(part(5, true, true, VectorClock.ZERO, first, Arrays.copyOf(second, 2)));
      answers.add(
          new Reply.FeedChanges(
              5,
              false,
              false,
              true,
              Fakes.clock(3, 9),
              List.of(Arrays.copyOfRange(second, 2, second.length))));
      assertThat(feed.next(LONG)).isEqualTo(new ChangeSet<>(List.of(new Change<>("a", null, "1"))));
      assertThat(feed.position().told().clock()).as("half of it").isEqualTo(Fakes.clock(3, 1));
      assertThat(now(feed)).isEqualTo(new ChangeSet<>(List.of(new Change<>("b", "1", null))));
      assertThat(feed.position().told().clock()).isEqualTo(Fakes.clock(3, 9));
      assertThat(questions).extracting(Request.ReadChanges::parts).containsExactly(0, 0, 1);
      assertThat(questions).extracting(RemoteFeedTest::read).endsWith(Fakes.clock(3, 1));
      assertThat(now(feed)).isNull();
      assertThat(questions).extracting(RemoteFeedTest::read).endsWith(Fakes.clock(3, 9));
      assertThat(questions).extracting(Request.ReadChanges::feed).containsExactly(0L, 5L, 5L, 5L);
    }
  }

  @Test
  void aQuestionWhoseAnswerIsLostIsAskedAgain() throws IOException {
    try (FakeServer server = server();
        Canopy db = connected(server);
        ChangeFeed<String, String> feed = opened(db)) {
      answers.add(LOST);
      answers.add(part(6, true, true, VectorClock.ZERO, commit("void", null, "1")));
      answers.add(LOST);
      answers.add(part(7, true, false, Fakes.clock(3, 2), commit("a", null, "1")));
      assertThat(feed.next(LONG)).isEqualTo(new ChangeSet<>(List.of(new Change<>("a", null, "1"))));
      assertThat(now(feed)).isNull();
      assertThat(questions.subList(1, 5))
          .extracting(RemoteFeedTest::read)
          .containsOnly(Fakes.clock(3, 1));
      assertThat(questions)
          .extracting(Request.ReadChanges::parts)
          .containsExactly(0, 0, 0, 1, 1, 0);
      assertThat(questions)
          .extracting(Request.ReadChanges::feed)
          .containsExactly(0L, 5L, 5L, 6L, 6L, 7L);
    }
  }

  @Test
  void aServerThatStopsIsLeft() throws IOException {
    try (FakeServer server = server();
        Canopy db = connected(server);
        ChangeFeed<String, String> feed = opened(db)) {
      answers.add(
          new Reply.Failure(
              ErrorCode.NOT_CONNECTED.number(),
              false,
              CommitState.NOT_COMMITTED,
              null,
              "it stops",
              List.of()));
      assertThat(now(feed)).isNull();
      assertThat(questions).hasSize(3);
    }
  }

  @Test
  void anAnswerThatIsNoneIsRefusedAndTheFeedStays() throws IOException {
    try (FakeServer server = server();
        Canopy db = connected(server);
        ChangeFeed<String, String> feed = opened(db)) {
      answers.add(part(5, true, false, Fakes.clock(3, 2), new byte[] {9}));
      answers.add(part(5, false, false, Fakes.clock(3, 2), commit("a", null, "1")));
      answers.add(
          new Reply.FeedChanges(5, true, false, true, Fakes.clock(3, 2), List.of(bytes("x"))));
      answers.add(Fakes.DONE);
      for (int i = 0; i < 4; i++) {
        Refusal.of(ErrorCode.PROTOCOL_ERROR, () -> now(feed));
      }
      answers.add(
          new Reply.Failure(
              ErrorCode.CHANGES_LOST.number(),
              false,
              CommitState.NOT_COMMITTED,
              null,
              "as it should",
              List.of()));
      Refusal.of(ErrorCode.CHANGES_LOST, () -> now(feed));
      assertThat(now(feed)).isNull();
      assertThat(questions.subList(1, questions.size()))
          .extracting(RemoteFeedTest::read)
          .containsOnly(Fakes.clock(3, 1));
    }
  }

  @Test
  void aFeedThatIsClosedIsGivenUp() throws IOException, InterruptedException {
    try (FakeServer server = server();
        Canopy db = connected(server)) {
      ChangeFeed<String, String> feed = opened(db);
      feed.close();
      feed.close();
      Refusal.of(ErrorCode.TRANSACTION_CLOSED, () -> now(feed));
      assertThat(given.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(server.received()).contains(new Request.CloseFeed(5));
    }
  }
}
