package io.canopygrid.server.endpoint.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedCommitBytes;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import io.canopygrid.wire.client.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests what is kept for clients between their questions. */
final class KeptFeedsTest {
  private static final int MANY = 1 << 20;
  private static final FeedOwner ADA = new FeedOwner("ada", 1, KeyRange.ALL);
  private static final List<List<FeedCommit>> GROUPS =
      List.of(
          List.of(FakeFeed.inserted("one"), FakeFeed.inserted("two")),
          List.of(FakeFeed.inserted("three")));

  private final StagedBytes memory = new StagedBytes(100);
  private final FakeFeed feed = new FakeFeed(GROUPS, 0);
  private long nowNanos = -5;
  private final KeptFeeds feeds = new KeptFeeds(2, memory, () -> nowNanos);

  private Reply.FeedChanges ask(KeptFeed kept, int groups, int parts, int bytesMax) {
    Reply.FeedChanges told = kept.answer(FakeFeed.clock(groups), parts, bytesMax, nowNanos);
    return Objects.requireNonNull(told);
  }

  private static List<String> values(Reply.FeedChanges... parts) {
    List<ByteArrayOutputStream> commits = new ArrayList<>();
    for (Reply.FeedChanges part : parts) {
      boolean continued = part.continued();
      for (byte[] piece : part.pieces()) {
        if (!continued) {
          commits.add(new ByteArrayOutputStream());
        }
        continued = false;
        commits.get(commits.size() - 1).writeBytes(piece);
      }
    }
    return commits.stream()
        .map(bytes -> FeedCommitBytes.decode(bytes.toByteArray()).changes().get(0).after())
        .map(value -> new String(Objects.requireNonNull(value), StandardCharsets.UTF_8))
        .toList();
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(code);
          assertThat(e.retryable()).isTrue();
        });
  }

  @Test
  void aLostAnswerIsGivenAgain() {
    KeptFeed kept = feeds.open(ADA, () -> feed);
    assertThat(kept.opened().clock()).isEqualTo(FakeFeed.clock(0));
    for (int i = 0; i < 3; i++) {
      Reply.FeedChanges told = ask(kept, 0, 0, MANY);
      assertThat(values(told)).containsExactly("one", "two");
      assertThat(told.first()).isTrue();
      assertThat(told.more()).isFalse();
      assertThat(told.clock()).isEqualTo(FakeFeed.clock(1));
    }
    assertThat(values(ask(kept, 1, 0, MANY))).containsExactly("three");
    assertThat(kept.answer(FakeFeed.clock(0), 0, MANY, nowNanos)).as("it was confirmed").isNull();
    assertThat(values(ask(kept, 1, 0, MANY))).containsExactly("three");
    assertThat(ask(kept, 2, 0, MANY).pieces()).isEmpty();
  }

  @Test
  void aGroupComesInParts() {
    KeptFeed kept = feeds.open(ADA, () -> feed);
    List<Reply.FeedChanges> parts = new ArrayList<>();
    do {
      parts.add(ask(kept, 0, parts.size(), 4));
    } while (parts.get(parts.size() - 1).more());
    assertThat(parts).hasSizeGreaterThan(3);
    assertThat(values(parts.toArray(Reply.FeedChanges[]::new))).containsExactly("one", "two");
    for (int i = 0; i < parts.size(); i++) {
      Reply.FeedChanges part = parts.get(i);
      assertThat(part.first()).isEqualTo(i == 0);
      assertThat(part.pieces().stream().mapToInt(piece -> piece.length).sum()).isBetween(1, 4);
      assertThat(part.clock().size()).isEqualTo(part.more() ? 0 : 1);
    }
    assertThat(feed.polls()).isEqualTo(1);
    assertThat(memory.held()).isZero();
    assertThat(ask(kept, 0, 7, 4).first()).as("nobody awaits that part").isTrue();
  }

  @Test
  void aClientThatHasLostAPartBeginsAgain() {
    KeptFeed kept = feeds.open(ADA, () -> feed);
    ask(kept, 0, 0, 4);
    assertThat(ask(kept, 0, 1, 4).first()).isFalse();
    Reply.FeedChanges again = ask(kept, 0, 1, MANY);
    assertThat(again.first()).as("part 1 was given").isTrue();
    assertThat(values(again)).containsExactly("one", "two");
    ask(kept, 0, 0, 4);
    assertThat(ask(kept, 0, 0, 4).first()).isTrue();
    assertThat(memory.held()).isPositive();
    feeds.close(kept.id(), "ada");
    assertThat(memory.held()).isZero();
  }

  @Test
  void aFeedIsItsOwnersOnly() {
    KeptFeed kept = feeds.open(ADA, () -> feed);
    assertThat(feeds.find(kept.id(), new FeedOwner("ada", 1, KeyRange.ALL))).isSameAs(kept);
    assertThat(feeds.find(kept.id(), new FeedOwner("bob", 1, KeyRange.ALL))).isNull();
    assertThat(feeds.find(kept.id(), new FeedOwner("ada", 2, KeyRange.ALL))).isNull();
    assertThat(feeds.find(kept.id(), new FeedOwner("ada", 1, KeyRange.EMPTY))).isNull();
    assertThat(feeds.find(kept.id() + 1, ADA)).isNull();
    feeds.close(kept.id(), "bob");
    assertThat(feed.isClosed()).isFalse();
    feeds.close(kept.id(), "ada");
    feeds.close(kept.id(), "ada");
    assertThat(feed.isClosed()).isTrue();
    assertThat(feeds.size()).isZero();
    assertThat(kept.answer(FakeFeed.clock(0), 0, MANY, nowNanos)).isNull();
  }

  @Test
  void aFeedThatIsNotUsedIsClosed() {
    KeptFeed kept = feeds.open(ADA, () -> feed);
    nowNanos += KeptFeeds.UNUSED_NANOS_MAX;
    feeds.closeUnused();
    ask(kept, 0, 0, 4);
    nowNanos += KeptFeeds.UNUSED_NANOS_MAX;
    feeds.closeUnused();
    assertThat(feed.isClosed()).isFalse();
    nowNanos++;
    feeds.closeUnused();
    assertThat(feed.isClosed()).isTrue();
    assertThat(feeds.size()).isZero();
    assertThat(memory.held()).isZero();
    assertThat(feeds.find(kept.id(), ADA)).isNull();
  }

  @Test
  void thereAreNoMoreFeedsThanTheLimit() {
    KeptFeed first = feeds.open(ADA, () -> feed);
    refused(
        ErrorCode.NOT_CONNECTED,
        () ->
            feeds.open(
                ADA,
                () -> {
                  throw new CanopyException(ErrorCode.NOT_CONNECTED, "as it should");
                }));
    feeds.open(ADA, () -> new FakeFeed(GROUPS, 0));
    refused(ErrorCode.OVERLOADED, () -> feeds.open(ADA, () -> new FakeFeed(GROUPS, 0)));
    feeds.close(first);
    feeds.open(ADA, () -> new FakeFeed(GROUPS, 0));
    assertThat(feeds.size()).isEqualTo(2);
  }

  @Test
  void changesThatAreNotFetchedAreBounded() {
    List<List<FeedCommit>> large = List.of(List.of(FakeFeed.inserted("x".repeat(200))));
    KeptFeed first = feeds.open(ADA, () -> new FakeFeed(large, 0));
    KeptFeed second = feeds.open(ADA, () -> new FakeFeed(large, 0));
    ask(first, 0, 0, 4);
    refused(ErrorCode.OVERLOADED, () -> ask(second, 0, 0, 4));
    assertThat(values(ask(second, 0, 0, MANY))).as("nothing is left to be kept").hasSize(1);
    ask(first, 0, 1, MANY);
    assertThat(ask(second, 0, 0, 4).more()).isTrue();
  }

  @Test
  void aServerThatStopsKeepsNone() {
    feeds.open(ADA, () -> feed);
    feeds.close();
    assertThat(feed.isClosed()).isTrue();
    FakeFeed late = new FakeFeed(GROUPS, 0);
    refused(ErrorCode.NOT_CONNECTED, () -> feeds.open(ADA, () -> late));
    assertThat(late.isClosed()).isTrue();
    assertThat(feeds.size()).isZero();
  }
}
