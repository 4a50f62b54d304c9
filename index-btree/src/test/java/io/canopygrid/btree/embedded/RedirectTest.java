package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.crown.MapView;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A crown that is behind, ahead or empty costs hops, and never changes an answer. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class RedirectTest {
  private static final long ENTRIES = 300;

  private final TestGrid grid = TestGrid.network(3, 2, 12, 16);
  private final FaultyNode faulty = new FaultyNode(grid.node(0));
  private final EmbeddedCanopy good = grid.handle(1);
  private final EmbeddedCanopy db = grid.faulty(faulty);
  private final Index<Long, String> goodIndex = open(good);
  private final Index<Long, String> index = open(db);
  private final TreeMap<Long, String> twin = new TreeMap<>();

  private static Index<Long, String> open(EmbeddedCanopy handle) {
    return handle.index(
        "redirects", Codec.int64(), Codec.string(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(8));
  }

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void aStaleCrownLeadsRight() {
    fill(0, 20);
    OrderedView<VersionChain> stale = grid.node(0).top();
    fill(20, ENTRIES);
    faulty.holdTop(stale);
    db.read(
        after(),
        tx -> {
          assertSame(tx.on(index));
          return null;
        });
    assertThat(db.stats().total().redirects()).isPositive();
    assertThat(db.stats().byIndex().get("redirects").redirects()).isPositive();
  }

  @Test
  void writesThroughAStaleCrownAreReHomed() {
    fill(0, 20);
    OrderedView<VersionChain> stale = grid.node(0).top();
    fill(20, ENTRIES);
    faulty.holdTop(stale);
    for (long key = 0; key < ENTRIES; key += 7) {
      long k = key;
      db.run(after(), tx -> tx.on(index).put(k, "re-homed " + k));
      twin.put(k, "re-homed " + k);
    }
    db.run(
        after(),
        tx -> {
          MutableView<Long, String> view = tx.on(index);
          assertThat(view.removeRange(Range.closed(100L, 160L))).isEqualTo(61);
          assertThat(view.merge(99L, "!", String::concat)).isEqualTo(twin.get(99L) + "!");
          assertThat(view.putIfAbsent(1_000L, "new")).isNull();
        });
    twin.subMap(100L, true, 160L, true).clear();
    twin.merge(99L, "!", String::concat);
    twin.put(1_000L, "new");
    assertThat(db.stats().total().aborts()).isEmpty();
    good.read(
        TransactionOptions.DEFAULTS.withAfter(db.token()),
        tx -> {
          assertSame(tx.on(goodIndex));
          return null;
        });
    good.check(goodIndex, Duration.ofSeconds(20));
  }

  @Test
  void anEmptyCrownIsAskedForAtItsPrimary() {
    fill(0, ENTRIES);
    faulty.holdTop(new MapView());
    db.read(
        after(),
        tx -> {
          assertSame(tx.on(index));
          return null;
        });
    db.run(after(), tx -> tx.on(index).put(77L, "blind"));
    twin.put(77L, "blind");
    db.read(tx -> {
      assertSame(tx.on(index));
      return null;
    });
  }

  @Test
  void anOldSnapshotIsLedBackToWhereTheKeysWere() {
    fill(0, 30);
    try (var old = db.begin(after())) {
      assertThat(old.on(index).count()).isEqualTo(30);
      TreeMap<Long, String> before = new TreeMap<>(twin);
      fill(30, ENTRIES);
      good.run(tx -> tx.on(goodIndex).removeRange(Range.closed(5L, 25L)));
      grid.awaitQuiet();
      assertSame(old.on(index), before);
      assertThat(db.stats().total().redirects()).isZero();
    }
    assertThat(db.stats().total().redirects()).isPositive();
  }

  @Test
  void aSubtreeWithoutHeaderLeadsToWhereItCameFrom() {
    fill(0, 30);
    AtomicInteger asked = new AtomicInteger();
    long last = grid.subtreeOf(0, index, 29L);
    faulty.answer(query ->
        query.kcl() == last && asked.getAndIncrement() == 0
            ? new ReadAnswer.Redirected(new byte[0], true)
            : null);
    // The subtree that the key came from leads here again, and by now the header is there.
    assertThat(db.<String, RuntimeException>read(after(), tx -> tx.on(index).get(29L)))
        .isEqualTo("v29");
    assertThat(asked.get()).isGreaterThan(1);
    assertThat(db.stats().total().redirects()).isGreaterThan(1);
  }

  @Test
  void anIndexThatIsNotInTheSnapshotIsEmpty() {
    fill(0, ENTRIES);
    try (Transaction reader = db.begin(after());
        Transaction writer = db.begin(after());
        Transaction conflicting = db.begin(after())) {
      for (Transaction old : List.of(reader, writer, conflicting)) {
        assertThat(old.on(index).count()).isEqualTo(ENTRIES);
      }
      Index<Long, String> later =
          db.index("later", Codec.int64(), Codec.string(), IndexOptions.DEFAULTS);
      db.run(tx -> tx.on(later).put(1L, "one"));

      assertThat(reader.on(later).get(1L)).isNull();
      assertThat(reader.on(later).count()).isZero();
      assertThat(reader.on(later).lastEntry()).isNull();

      assertThat(writer.on(later).get(2L)).isNull();
      writer.on(later).put(3L, "three");
      writer.commit();

      assertThat(conflicting.on(later).get(1L)).isNull();
      conflicting.on(later).put(4L, "four");
      assertThatThrownBy(conflicting::commit)
          .isInstanceOfSatisfying(
              CanopyException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
                assertThat(e.detail()).contains("key 1 ").contains("index 'later'");
              });
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(later).count())).isEqualTo(2);
    }
  }

  private void fill(long from, long to) {
    List<Long> keys = new ArrayList<>(LongStream.range(from, to).boxed().toList());
    Collections.shuffle(keys, new Random(from));
    for (long key : keys) {
      good.run(tx -> tx.on(goodIndex).put(key, "v" + key));
      twin.put(key, "v" + key);
    }
    grid.awaitQuiet();
  }

  private TransactionOptions after() {
    return TransactionOptions.DEFAULTS.withAfter(good.token());
  }

  private void assertSame(ReadView<Long, String> view) {
    assertSame(view, twin);
  }

  private static void assertSame(ReadView<Long, String> view, NavigableMap<Long, String> twin) {
    assertThat(view.count()).isEqualTo(twin.size());
    for (long key = 0; key <= ENTRIES; key += 13) {
      assertThat(view.get(key)).as("key %s", key).isEqualTo(twin.get(key));
      assertThat(view.floorEntry(key)).as("key %s", key).isEqualTo(twin.floorEntry(key));
      assertThat(view.higherEntry(key)).as("key %s", key).isEqualTo(twin.higherEntry(key));
    }
    try (Cursor<Long, String> all = view.scan()) {
      assertThat(all.keys().toList()).containsExactlyElementsOf(twin.keySet());
    }
    try (Cursor<Long, String> all = view.scan().reverse()) {
      assertThat(all.values().toList()).containsExactlyElementsOf(twin.descendingMap().values());
    }
  }
}
