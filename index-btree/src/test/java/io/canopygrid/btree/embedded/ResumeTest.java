package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cursor's token goes on in a later transaction, through any node, after any split. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class ResumeTest {
  private final TestGrid grid = TestGrid.network(3, 2, 12, 16);
  private final List<Index<Integer, String>> indexes = new ArrayList<>();

  ResumeTest() {
    for (int i = 0; i < grid.size(); i++) {
      indexes.add(
          grid.handle(i)
              .index(
                  "resume",
                  Codec.int32(),
                  Codec.string(),
                  IndexOptions.DEFAULTS.withSubtreeEntriesMax(8)));
    }
  }

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void goesOnAfterTheEntryHandedOutLast() {
    fill(0, 100);
    ResumeToken token = take(0, start(Range.closed(10, 90), false, 1_000), 5);
    assertThat(token.remaining()).isEqualTo(995);
    fill(100, 300);
    assertThat(keysFrom(1, token, 3)).containsExactly(15, 16, 17);
    assertThat(keysFrom(2, token, 1_000)).hasSize(76).startsWith(15).endsWith(90);
  }

  @Test
  void goesOnInReverseWithWhatIsLeftOfTheLimit() {
    fill(0, 100);
    ResumeToken token = take(1, start(Range.closed(10, 90), true, 7), 5);
    assertThat(keysFrom(2, token, 1_000)).containsExactly(85, 84);
    assertThat(keysFrom(0, take(2, token, 2), 1_000)).isEmpty();
  }

  @Test
  void anEntryAskedForButNotHandedOutIsStillToCome() {
    fill(0, 20);
    ResumeToken token =
        grid.handle(0)
            .<ResumeToken, RuntimeException>read(tx -> {
              try (Cursor<Integer, String> c = tx.on(indexes.get(0)).scan()) {
                Iterator<Map.Entry<Integer, String>> entries = c.iterator();
                entries.next();
                assertThat(entries.hasNext()).isTrue();
                return c.resumeToken();
              }
            });
    assertThat(keysFrom(0, token, 1)).containsExactly(1);
  }

  @Test
  void readsThroughAllOfAnIndexInSmallTransactions() {
    long seed = 21;
    Random random = new Random(seed);
    fill(0, 200);
    for (boolean reverse : List.of(false, true)) {
      List<Integer> keys = new ArrayList<>();
      ResumeToken token = start(Range.all(), reverse, ResumeToken.NO_LIMIT);
      int next = 200;
      while (true) {
        int at = random.nextInt(grid.size());
        List<Integer> some = keysFrom(at, token, 1 + random.nextInt(20));
        if (some.isEmpty()) {
          break;
        }
        keys.addAll(some);
        token = take(at, ResumeToken.fromBytes(token.toBytes()), some.size());
        if (next < 260 && !reverse) {
          fill(1_000 - next, 1_001 - next);
          next++;
        }
      }
      List<Integer> expected =
          grid.handle(0)
              .<List<Integer>, RuntimeException>read(
                  TransactionOptions.DEFAULTS.withAfter(grid.handle(0).token()),
                  tx -> {
                    try (Cursor<Integer, String> c = tx.on(indexes.get(0)).scan()) {
                      return (reverse ? c.reverse() : c).keys().toList();
                    }
                  });
      assertThat(keys).as("seed %s", seed).doesNotHaveDuplicates();
      assertThat(expected).as("seed %s", seed).containsAll(keys);
      assertThat(keys.size()).isGreaterThanOrEqualTo(200);
    }
  }

  @Test
  void refusesTheTokenOfAnotherIndex() {
    EmbeddedCanopy db = grid.handle(0);
    Index<Integer, String> other = db.index("other", Codec.int32(), Codec.string());
    ResumeToken token = start(Range.all(), false, 5);
    db.read(tx -> {
      Errors.of(ErrorCode.INVALID_TOKEN, () -> tx.on(other).resume(token));
      return null;
    });
  }

  @Test
  void goesOnInTheSnapshotThatTheCursorRead() {
    fill(0, 100);
    grid.handle(0).snapshot("resumed");
    ResumeToken token =
        grid.handle(0)
            .<ResumeToken, RuntimeException>read(
                TransactionOptions.DEFAULTS.at("resumed"),
                tx -> {
                  try (Cursor<Integer, String> c = tx.on(indexes.get(0)).scan()) {
                    c.iterator().next();
                    return c.resumeToken();
                  }
                });
    fill(100, 120);
    grid.handle(0).run(tx -> tx.on(indexes.get(0)).remove(50));
    grid.awaitQuiet();
    assertThat(resumed(2, token)).hasSize(99).contains(50).doesNotContain(100);
    EmbeddedCanopy db = grid.handle(1);
    db.read(tx -> {
      Errors.of(ErrorCode.INVALID_TOKEN, () -> tx.on(indexes.get(1)).resume(token));
      return null;
    });
    grid.handle(0).dropSnapshot("resumed");
    Errors.of(ErrorCode.UNKNOWN_SNAPSHOT, () -> resumed(0, token));
    grid.handle(0).snapshot("resumed");
    for (int i = 0; i < grid.size(); i++) {
      int at = i;
      Errors.of(ErrorCode.UNKNOWN_SNAPSHOT, () -> resumed(at, token));
    }
  }

  private List<Integer> resumed(int at, ResumeToken token) {
    ResumeToken again = ResumeToken.parse(token.toString());
    return grid.handle(at)
        .<List<Integer>, RuntimeException>read(
            TransactionOptions.DEFAULTS.resuming(again),
            tx -> {
              try (Cursor<Integer, String> c = tx.on(indexes.get(at)).resume(again)) {
                return c.keys().toList();
              }
            });
  }

  private ResumeToken start(Range<Integer> range, boolean reverse, long limit) {
    return grid.handle(0)
        .<ResumeToken, RuntimeException>read(tx -> {
          try (Cursor<Integer, String> c = tx.on(indexes.get(0)).scan(range).limit(limit)) {
            return (reverse ? c.reverse() : c).resumeToken();
          }
        });
  }

  /** Goes on with a token for some entries; the token after them. */
  private ResumeToken take(int at, ResumeToken token, int entries) {
    return grid.handle(at)
        .<ResumeToken, RuntimeException>read(
            after(),
            tx -> {
              try (Cursor<Integer, String> c = tx.on(indexes.get(at)).resume(token)) {
                Iterator<Map.Entry<Integer, String>> rest = c.iterator();
                for (int i = 0; i < entries; i++) {
                  rest.next();
                }
                return c.resumeToken();
              }
            });
  }

  private List<Integer> keysFrom(int at, ResumeToken token, int most) {
    return grid.handle(at)
        .<List<Integer>, RuntimeException>read(
            after(),
            tx -> {
              try (Cursor<Integer, String> c = tx.on(indexes.get(at)).resume(token)) {
                return c.keys().limit(most).toList();
              }
            });
  }

  private TransactionOptions after() {
    return TransactionOptions.DEFAULTS.withAfter(grid.handle(0).token());
  }

  private void fill(int from, int to) {
    for (int key = from; key < to; key++) {
      int k = key;
      grid.handle(0).run(tx -> tx.on(indexes.get(0)).put(k, "v" + k));
    }
  }
}
