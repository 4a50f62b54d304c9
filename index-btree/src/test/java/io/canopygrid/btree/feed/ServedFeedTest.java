package io.canopygrid.btree.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CausalToken;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A feed returns again what its reader has not received, whatever is collected meanwhile. */
final class ServedFeedTest {
  /** So many writes of a key make the versions before them garbage, where nothing holds them. */
  private static final int WRITES = 200;

  private final EmbeddedCanopy db = EmbeddedCanopy.start();
  private final ServedNode node = db.served();
  private final Index<Long, Long> things = db.index("things", Codec.int64(), Codec.int64());
  private long written;

  @AfterEach
  void stop() {
    db.close();
  }

  private ServedFeed opened() {
    return node.changes(node.find("things"), new FeedStart(KeyRange.ALL, 0, null, ""));
  }

  private void write(int times) {
    for (int i = 0; i < times; i++) {
      long value = ++written;
      db.run(tx -> tx.on(things).put(1L, value));
    }
  }

  private static VectorClock clock(ServedFeed feed) {
    return feed.position().clock();
  }

  private static List<Long> values(List<FeedCommit> commits) {
    return commits.stream()
        .map(commit -> Objects.requireNonNull(commit.changes().get(0).after()))
        .map(value -> Codec.int64().decode(value))
        .toList();
  }

  @Test
  void whatWasReturnedLastIsReturnedAgain() {
    try (ServedFeed feed = opened()) {
      List<Long> told = new ArrayList<>();
      for (int round = 0; round < 5; round++) {
        write(WRITES);
        long wanted = written;
        while (told.size() < wanted) {
          VectorClock before = clock(feed);
          List<Long> lost = values(feed.poll());
          write(1);
          assertThat(feed.goTo(before)).isTrue();
          assertThat(clock(feed)).isEqualTo(before);
          List<Long> again = values(feed.poll());
          assertThat(again.subList(0, lost.size())).isEqualTo(lost);
          told.addAll(again);
        }
      }
      for (int i = 0; i < told.size(); i++) {
        assertThat(told.get(i)).isEqualTo(i + 1L);
      }
    }
  }

  @Test
  void anotherFeedGoesOnWhereThisOneHasNotBeenReceived() {
    try (ServedFeed feed = opened()) {
      write(WRITES);
      VectorClock before = clock(feed);
      List<Long> lost = values(feed.poll());
      write(WRITES);
      CausalToken after = CausalToken.of(db.grid().id(), before);
      FeedStart start = new FeedStart(KeyRange.ALL, 0, after, "");
      try (ServedFeed other = node.changes(node.find("things"), start)) {
        assertThat(clock(other)).isEqualTo(before);
        assertThat(values(other.poll()).subList(0, lost.size())).isEqualTo(lost);
      }
    }
  }

  @Test
  void aFeedIsAtTwoPositionsOnly() {
    try (ServedFeed feed = opened()) {
      VectorClock first = clock(feed);
      for (int i = 0; i < 2; i++) {
        write(1);
        while (feed.poll().isEmpty()) {
          Thread.onSpinWait(); // it is told a moment after its commit
        }
      }
      VectorClock last = clock(feed);
      assertThat(feed.goTo(first)).isFalse();
      assertThat(clock(feed)).isEqualTo(last);
      assertThat(feed.goTo(last)).isTrue();
      assertThat(feed.goTo(VectorClock.of(new int[] {0}, new long[] {1}))).isFalse();
    }
  }
}
