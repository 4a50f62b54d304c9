package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each method of the views does what its Javadoc says. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class ViewContractTest {
  private final EmbeddedCanopy db = EmbeddedCanopy.start();
  private final Index<String, String> index =
      db.index(
          "views", Codec.string(), Codec.string(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(4));

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void putOverwritesAndRemoveTakesAway() {
    write(v -> v.put("a", "1"));
    write(v -> v.put("a", "2"));
    assertThat(get("a")).isEqualTo("2");
    write(v -> v.remove("a"));
    assertThat(get("a")).isNull();
    write(v -> v.remove("a"));
    assertThat(get("a")).isNull();
  }

  @Test
  void ownWritesAreSeenAtOnceAndByNobodyElseBeforeTheCommit() {
    write(v -> v.put("a", "1"));
    try (Transaction tx = db.begin()) {
      MutableView<String, String> view = tx.on(index);
      view.put("a", "2");
      view.put("b", "3");
      view.remove("zz");
      assertThat(view.get("a")).isEqualTo("2");
      assertThat(view.containsKey("b")).isTrue();
      assertThat(tx.on(index).get("b")).isEqualTo("3");
      assertThat(keys(view.scan())).containsExactly("a", "b");
      assertThat(get("b")).isNull();
      view.remove("a");
      assertThat(view.get("a")).isNull();
      assertThat(view.containsKey("a")).isFalse();
      assertThat(view.firstEntry()).isEqualTo(Map.entry("b", "3"));
      assertThat(view.count()).isEqualTo(1);
    }
    assertThat(get("a")).isEqualTo("1");
    assertThat(get("b")).isNull();
  }

  @Test
  void insertRefusesAKeyThatIsThere() {
    write(v -> v.insert("a", "1"));
    CanopyException e = Errors.of(ErrorCode.KEY_EXISTS, () -> write(v -> v.insert("a", "2")));
    assertThat(e.detail()).contains("'views'").contains("key a");
    assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    assertThat(e.retryable()).isFalse();
    assertThat(get("a")).isEqualTo("1");
  }

  @Test
  void putIfAbsentReplaceAndCompareAndReplace() {
    write(v -> assertThat(v.putIfAbsent("a", "1")).isNull());
    write(v -> assertThat(v.putIfAbsent("a", "2")).isEqualTo("1"));
    write(v -> assertThat(v.replace("a", "3")).isEqualTo("1"));
    write(v -> assertThat(v.replace("b", "3")).isNull());
    write(v -> assertThat(v.replace("a", "1", "4")).isFalse());
    write(v -> assertThat(v.replace("a", "3", "5")).isTrue());
    write(v -> assertThat(v.replace("b", "3", "5")).isFalse());
    assertThat(all()).containsExactly(Map.entry("a", "5"));
  }

  @Test
  void computeMakesChangesAndTakesAway() {
    write(v -> assertThat(v.compute("a", (k, old) -> k + old)).isEqualTo("anull"));
    write(v -> assertThat(v.compute("a", (k, old) -> old + "!")).isEqualTo("anull!"));
    write(v -> assertThat(v.compute("a", (k, old) -> null)).isNull());
    write(v -> assertThat(v.compute("a", (k, old) -> null)).isNull());
    assertThat(all()).isEmpty();
  }

  @Test
  void mergeJoinsOldAndNew() {
    write(v -> assertThat(v.merge("a", "1", String::concat)).isEqualTo("1"));
    write(v -> assertThat(v.merge("a", "2", String::concat)).isEqualTo("12"));
    write(v -> assertThat(v.merge("a", "3", (x, y) -> null)).isNull());
    assertThat(all()).isEmpty();
  }

  @Test
  void anExceptionOfTheFunctionPassesAndChangesNothing() {
    write(v -> v.put("a", "1"));
    write(v -> {
      assertThatThrownBy(() -> v.compute("a", (k, old) -> fail()))
          .isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> v.merge("a", "2", (x, y) -> fail()))
          .isInstanceOf(ArithmeticException.class);
    });
    assertThat(get("a")).isEqualTo("1");
  }

  @Test
  void removeRangeCountsWhatWasThere() {
    letters();
    write(v -> assertThat(v.removeRange(Range.closedOpen("c", "h"))).isEqualTo(5));
    write(v -> assertThat(v.removeRange(Range.closedOpen("c", "h"))).isZero());
    assertThat(get("b")).isEqualTo("B");
    assertThat(get("c")).isNull();
    assertThat(get("h")).isEqualTo("H");
    write(v -> assertThat(v.removeRange(Range.all())).isEqualTo(21));
    assertThat(all()).isEmpty();
  }

  @Test
  void neighboursAreThoseOfNavigableMap() {
    letters();
    read(v -> {
      assertThat(v.firstEntry()).isEqualTo(Map.entry("a", "A"));
      assertThat(v.lastEntry()).isEqualTo(Map.entry("z", "Z"));
      assertThat(v.floorEntry("m")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.floorEntry("mm")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.floorEntry("")).isNull();
      assertThat(v.lowerEntry("m")).isEqualTo(Map.entry("l", "L"));
      assertThat(v.lowerEntry("a")).isNull();
      assertThat(v.ceilingEntry("m")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.ceilingEntry("mm")).isEqualTo(Map.entry("n", "N"));
      assertThat(v.ceilingEntry("zz")).isNull();
      assertThat(v.higherEntry("m")).isEqualTo(Map.entry("n", "N"));
      assertThat(v.higherEntry("z")).isNull();
    });
  }

  @Test
  void anEmptyIndexHasNoNeighbours() {
    read(v -> {
      assertThat(v.firstEntry()).isNull();
      assertThat(v.lastEntry()).isNull();
      assertThat(v.floorEntry("a")).isNull();
      assertThat(v.count()).isZero();
      assertThat(keys(v.scan())).isEmpty();
    });
  }

  @Test
  void theEmptyKeyIsAKey() {
    write(v -> v.put("", "empty"));
    letters();
    read(v -> {
      assertThat(v.get("")).isEqualTo("empty");
      assertThat(v.firstEntry()).isEqualTo(Map.entry("", "empty"));
      assertThat(v.lowerEntry("a")).isEqualTo(Map.entry("", "empty"));
      assertThat(keys(v.scan(Range.atMost("b")).reverse())).containsExactly("b", "a", "");
      assertThat(v.count(Range.lessThan("b"))).isEqualTo(2);
    });
    write(v -> v.remove(""));
    assertThat(get("")).isNull();
  }

  @Test
  void emptyValuesAreValues() {
    write(v -> v.put("a", ""));
    assertThat(get("a")).isEmpty();
    write(v -> {
      v.put("b", "");
      assertThat(v.get("b")).isEmpty();
      assertThat(keys(v.scan())).containsExactly("a", "b");
    });
  }

  @Test
  void everyKindOfRange() {
    letters();
    read(v -> {
      assertThat(keys(v.scan(Range.closed("c", "e")))).containsExactly("c", "d", "e");
      assertThat(keys(v.scan(Range.open("c", "e")))).containsExactly("d");
      assertThat(keys(v.scan(Range.closedOpen("c", "e")))).containsExactly("c", "d");
      assertThat(keys(v.scan(Range.between("c", false, "e", true)))).containsExactly("d", "e");
      assertThat(keys(v.scan(Range.atLeast("y")))).containsExactly("y", "z");
      assertThat(keys(v.scan(Range.greaterThan("y")))).containsExactly("z");
      assertThat(keys(v.scan(Range.atMost("b")))).containsExactly("a", "b");
      assertThat(keys(v.scan(Range.lessThan("b")))).containsExactly("a");
      assertThat(keys(v.scan(Range.prefix("q")))).containsExactly("q");
      assertThat(keys(v.scan(Range.closed("e", "c")))).isEmpty();
      assertThat(keys(v.scan())).hasSize(26);
      assertThat(v.count(Range.open("a", "z"))).isEqualTo(24);
    });
  }

  @Test
  void cursorsTurnAndStop() {
    letters();
    read(v -> {
      assertThat(keys(v.scan().limit(3))).containsExactly("a", "b", "c");
      assertThat(keys(v.scan().reverse().limit(3))).containsExactly("z", "y", "x");
      assertThat(keys(v.scan().reverse().reverse().limit(1))).containsExactly("a");
      assertThat(keys(v.scan().limit(0))).isEmpty();
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
  void cursorsRefuseWhatComesTooLate() {
    letters();
    read(v -> {
      Cursor<String, String> c = v.scan();
      c.iterator().next();
      Errors.of(ErrorCode.INVALID_ARGUMENT, c::reverse);
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> c.limit(3));
      Errors.of(ErrorCode.INVALID_ARGUMENT, () -> v.scan().limit(-1));
      c.close();
      c.close();
      Errors.of(ErrorCode.INVALID_ARGUMENT, c::iterator);
      Cursor<String, String> one = v.scan(Range.closed("a", "a"));
      one.iterator().next();
      assertThat(one.iterator().hasNext()).isFalse();
      assertThatThrownBy(() -> one.iterator().next()).isInstanceOf(NoSuchElementException.class);
    });
  }

  @Test
  void ownWritesMayBeMadeDuringAScan() {
    letters();
    write(v -> {
      List<String> seen = new ArrayList<>();
      try (Cursor<String, String> c = v.scan()) {
        for (Map.Entry<String, String> e : c) {
          seen.add(e.getKey());
          v.remove(e.getKey());
          if (e.getKey().equals("k")) {
            v.put("a", "behind");
            v.put("kk", "ahead");
            v.remove("m");
          }
        }
      }
      assertThat(seen).hasSize(26).contains("kk").doesNotContain("m");
      assertThat(keys(v.scan())).containsExactly("a");
    });
    assertThat(all()).containsExactly(Map.entry("a", "behind"));
  }

  private static @Nullable String fail() {
    throw new ArithmeticException("of the function");
  }

  private interface Action<V> {
    void on(V view);
  }

  private void letters() {
    write(v -> {
      for (char c = 'a'; c <= 'z'; c++) {
        v.put(String.valueOf(c), String.valueOf(Character.toUpperCase(c)));
      }
    });
  }

  private void write(Action<MutableView<String, String>> action) {
    db.run(tx -> action.on(tx.on(index)));
  }

  private void read(Action<ReadView<String, String>> action) {
    db.read(tx -> {
      action.on(tx.on(index));
      return null;
    });
  }

  private @Nullable String get(String key) {
    try (Transaction tx = db.begin()) {
      return tx.on(index).get(key);
    }
  }

  private List<Map.Entry<String, String>> all() {
    return db.<List<Map.Entry<String, String>>, RuntimeException>read(tx -> {
      try (Cursor<String, String> c = tx.on(index).scan()) {
        return c.stream().toList();
      }
    });
  }

  private static List<String> keys(Cursor<String, String> cursor) {
    try (cursor) {
      return cursor.keys().toList();
    }
  }
}
