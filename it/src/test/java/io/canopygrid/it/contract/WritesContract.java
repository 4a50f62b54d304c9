package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Each way to write. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class WritesContract extends Theme {
  WritesContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void putOverwritesAndRemoveTakesAway() {
    write(v -> v.put("a", "1"));
    write(v -> v.put("a", "2"));
    assertThat(get("a")).isEqualTo("2");
    assertThat(getThere("a")).isEqualTo("2");
    write(v -> v.remove("a"));
    assertThat(get("a")).isNull();
    write(v -> v.remove("a"));
    assertThat(get("a")).isNull();
  }

  @Test
  void insertRefusesAKeyThatIsThere() {
    write(v -> v.insert("a", "1"));
    CanopyException e = refused(ErrorCode.KEY_EXISTS, () -> write(v -> v.insert("a", "2")));
    assertThat(e.detail()).contains("'" + name + "'").contains("key a");
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
    write(v -> {
      v.put("own", "1");
      assertThat(v.removeRange(Range.all())).isEqualTo(22);
      assertThat(v.get("own")).isNull();
    });
    assertThat(all()).isEmpty();
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
        }
      }
      assertThat(seen).hasSize(26);
      assertThat(v.count()).isZero();
    });
    assertThat(all()).isEmpty();
  }

  @Test
  void manyWritesInOneTransaction() {
    write(v -> {
      for (int i = 0; i < 2_000; i++) {
        v.put("k%05d".formatted(i), "v" + i);
      }
    });
    read(v -> {
      assertThat(v.count()).isEqualTo(2_000);
      assertThat(v.get("k01999")).isEqualTo("v1999");
    });
  }

  @Test
  void tooLargeIsRefusedAtOnceAndTheLargestIsNot() {
    String longest = "k".repeat(Limits.KEY_BYTES_MAX);
    String largest = "v".repeat(Limits.VALUE_BYTES_MAX);
    write(v -> {
      CanopyException key = refused(ErrorCode.KEY_TOO_LARGE, () -> v.put(longest + "k", "1"));
      assertThat(key.detail()).contains("8193").contains("8192");
      refused(ErrorCode.KEY_TOO_LARGE, () -> v.get(longest + "k"));
      refused(ErrorCode.VALUE_TOO_LARGE, () -> v.put("a", largest + "v"));
      v.put(longest, largest);
    });
    assertThat(get(longest)).isEqualTo(largest);
  }

  @Test
  void nullsAreRefusedAtOnce() {
    write(v -> {
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.put(null, "1"));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.put("a", null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.insert("a", null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.putIfAbsent(null, "1"));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.replace("a", null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.replace("a", null, "1"));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.remove(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.compute("a", null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.merge("a", null, String::concat));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.removeRange(null));
    });
    assertThat(all()).isEmpty();
  }

  private static String fail() {
    throw new ArithmeticException("of the function");
  }
}
