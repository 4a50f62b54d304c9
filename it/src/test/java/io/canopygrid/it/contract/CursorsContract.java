package io.canopygrid.it.contract;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Cursors: direction, limit, end, and going on elsewhere. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class CursorsContract extends Theme {
  CursorsContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void cursorsTurnAndStop() {
    letters();
    read(v -> {
      assertThat(keys(v.scan().limit(3))).containsExactly("a", "b", "c");
      assertThat(keys(v.scan().reverse().limit(3))).containsExactly("z", "y", "x");
      assertThat(keys(v.scan().reverse().reverse().limit(1))).containsExactly("a");
      assertThat(keys(v.scan().limit(0))).isEmpty();
      assertThat(keys(v.scan(Range.closed("c", "e")).reverse())).containsExactly("e", "d", "c");
      try (Cursor<String, String> c = v.scan(Range.closed("a", "c"))) {
        assertThat(c.values().toList()).containsExactly("A", "B", "C");
      }
      try (Cursor<String, String> c = v.scan()) {
        assertThat(c.iterator().next()).isEqualTo(Map.entry("a", "A"));
        assertThat(c.iterator().next()).isEqualTo(Map.entry("b", "B"));
        assertThat(c.stream().limit(1).toList()).containsExactly(Map.entry("c", "C"));
      }
    });
  }

  @Test
  void refuseWhatComesTooLate() {
    letters();
    read(v -> {
      Cursor<String, String> c = v.scan();
      c.iterator().next();
      refused(ErrorCode.INVALID_ARGUMENT, c::reverse);
      refused(ErrorCode.INVALID_ARGUMENT, () -> c.limit(3));
      refused(ErrorCode.INVALID_ARGUMENT, () -> v.scan().limit(-1));
      c.close();
      c.close();
      refused(ErrorCode.INVALID_ARGUMENT, c::iterator);
      Cursor<String, String> one = v.scan(Range.closed("a", "a"));
      one.iterator().next();
      assertThat(one.iterator().hasNext()).isFalse();
      assertThatThrownBy(() -> one.iterator().next()).isInstanceOf(NoSuchElementException.class);
    });
  }

  @Test
  void severalCursorsOfOneTransactionAreApart() {
    letters();
    read(v -> {
      try (Cursor<String, String> up = v.scan();
          Cursor<String, String> down = v.scan().reverse()) {
        Iterator<Map.Entry<String, String>> a = up.iterator();
        Iterator<Map.Entry<String, String>> z = down.iterator();
        for (int i = 0; i < 26; i++) {
          assertThat(a.next().getKey().charAt(0)).isEqualTo((char) ('a' + i));
          assertThat(z.next().getKey().charAt(0)).isEqualTo((char) ('z' - i));
        }
        assertThat(a.hasNext() || z.hasNext()).isFalse();
      }
    });
  }

  @Test
  void largeValuesPassWithoutOneTakingThePlaceOfAll() {
    String large = "v".repeat(1 << 20);
    for (int i = 0; i < 12; i++) {
      String key = "k%02d".formatted(i);
      write(v -> v.put(key, large));
    }
    read(v -> {
      try (Cursor<String, String> c = v.scan()) {
        assertThat(c.values().filter(large::equals).count()).isEqualTo(12);
      }
    });
  }

  @Test
  void goOnInAnotherTransactionThroughAnotherNode() {
    letters();
    ResumeToken token = take(3, false);
    assertThat(token.index()).isEqualTo(name);
    assertThat(ResumeToken.parse(token.toString())).isEqualTo(token);
    assertThat(rest(ResumeToken.fromBytes(token.toBytes()))).startsWith("d", "e").hasSize(5);
    assertThat(rest(take(3, true))).containsExactly("w", "v", "u", "t", "s");
  }

  @Test
  void goOnInTheNamedSnapshotThatTheyReadOrSayThatItIsGone() {
    letters();
    String night = name + "-night";
    db.snapshot(night);
    ResumeToken token =
        db.<ResumeToken, RuntimeException>read(
            TransactionOptions.DEFAULTS.at(night),
            tx -> {
              try (Cursor<String, String> c = tx.on(index).scan()) {
                c.iterator().next();
                return ResumeToken.parse(c.resumeToken().toString());
              }
            });
    write(v -> v.remove("m"));
    write(v -> v.put("zz", "new"));
    assertThat(resumed(token)).hasSize(25).contains("m").doesNotContain("zz");
    other.read(tx -> {
      refused(ErrorCode.INVALID_TOKEN, () -> tx.on(texts(other)).resume(token));
      return null;
    });
    db.dropSnapshot(night);
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> resumed(token));
    db.snapshot(night);
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> resumed(token));
    List<String> present =
        db.<List<String>, RuntimeException>read(
            TransactionOptions.DEFAULTS.at(night), tx -> keys(tx.on(index).scan()));
    assertThat(present).contains("zz").doesNotContain("m");
    db.dropSnapshot(night);
  }

  private List<String> resumed(ResumeToken token) {
    Index<String, String> there = texts(other);
    return other.<List<String>, RuntimeException>read(
        TransactionOptions.DEFAULTS.resuming(token), tx -> keys(tx.on(there).resume(token)));
  }

  @Test
  void theirNextPageIsUnderWayAndNothingIsLostByIt() {
    Index<String, String> large = large();
    for (int i = 0; i < 10; i++) {
      int from = 300 * i;
      db.run(tx -> {
        for (int key = from; key < from + 300; key++) {
          tx.on(large).put("%05d".formatted(key), "v");
        }
      });
    }
    db.read(tx -> {
      ReadView<String, String> v = tx.on(large);
      assertThat(keys(v.scan())).hasSize(3_000).isSorted();
      assertThat(keys(v.scan().reverse())).hasSize(3_000).isSortedAccordingTo(reverseOrder());
      assertThat(v.count()).isEqualTo(3_000);
      assertThat(v.count(Range.closed("00010", "00019"))).isEqualTo(10);
      assertThat(v.count(Range.atLeast("02990"))).isEqualTo(10);
      return null;
    });
    db.run(tx -> {
      MutableView<String, String> v = tx.on(large);
      v.remove("00011");
      v.put("00012x", "own");
      v.put("00013", "own");
      assertThat(v.count(Range.closed("00010", "00019"))).isEqualTo(10);
      assertThat(v.count()).isEqualTo(3_000);
    });
  }

  /** An index whose subtrees have room. */
  private Index<String, String> large() {
    return db.index(name + "-large", index.keyCodec(), index.valueCodec());
  }

  @Test
  void countsAndNearestEntriesCostOneRequestEach() {
    Index<String, String> large = large();
    db.run(tx -> {
      for (char c = 'a'; c <= 'z'; c++) {
        tx.on(large).put(String.valueOf(c), "v");
      }
    });
    requireAtMostOne(v -> assertThat(v.count()).isEqualTo(26));
    requireAtMostOne(v -> assertThat(v.count(Range.closed("b", "d"))).isEqualTo(3));
    requireAtMostOne(v -> assertThat(v.firstEntry().getKey()).isEqualTo("a"));
    requireAtMostOne(v -> assertThat(v.lastEntry().getKey()).isEqualTo("z"));
    requireAtMostOne(v -> assertThat(v.floorEntry("bb").getKey()).isEqualTo("b"));
    requireAtMostOne(v -> assertThat(v.ceilingEntry("bb").getKey()).isEqualTo("c"));
    requireAtMostOne(v -> assertThat(v.lowerEntry("b").getKey()).isEqualTo("a"));
    requireAtMostOne(v -> assertThat(v.higherEntry("b").getKey()).isEqualTo("c"));
  }

  private void requireAtMostOne(Action<ReadView<String, String>> question) {
    Index<String, String> large = large();
    long before = db.stats().total().remoteRequests();
    db.read(tx -> {
      question.on(tx.on(large));
      return null;
    });
    assertThat(db.stats().total().remoteRequests() - before).isLessThanOrEqualTo(1);
  }

  @Test
  void refuseTokensOfAnotherIndexAndWhatIsNone() {
    letters();
    ResumeToken token = take(1, false);
    Index<String, String> another = db.index(name + "-b", index.keyCodec(), index.valueCodec());
    db.read(tx -> {
      refused(ErrorCode.INVALID_TOKEN, () -> tx.on(another).resume(token));
      return null;
    });
    refused(ErrorCode.INVALID_TOKEN, () -> ResumeToken.parse("nonsense"));
  }

  private ResumeToken take(int entries, boolean reverse) {
    return db.<ResumeToken, RuntimeException>read(tx -> {
      try (Cursor<String, String> c = tx.on(index).scan().limit(8)) {
        Iterator<Map.Entry<String, String>> all = (reverse ? c.reverse() : c).iterator();
        for (int i = 0; i < entries; i++) {
          all.next();
        }
        assertThat(all.hasNext()).as("asked for, not handed out").isTrue();
        return c.resumeToken();
      }
    });
  }

  private List<String> rest(ResumeToken token) {
    Index<String, String> there = texts(other);
    return other.<List<String>, RuntimeException>read(
        TransactionOptions.DEFAULTS.withAfter(token.seen()),
        tx -> keys(tx.on(there).resume(token)));
  }
}
