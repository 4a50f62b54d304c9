package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.codec.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compiled range has exactly the keys that its words say. */
final class RangeTest {
  @Test
  void boundsOfAllSmallNumbers() {
    for (int a = -3; a <= 3; a++) {
      int from = a;
      assertKeys(Range.atLeast(from), k -> k >= from);
      assertKeys(Range.greaterThan(from), k -> k > from);
      assertKeys(Range.atMost(from), k -> k <= from);
      assertKeys(Range.lessThan(from), k -> k < from);
      for (int b = -3; b <= 3; b++) {
        int to = b;
        assertKeys(Range.closed(from, to), k -> k >= from && k <= to);
        assertKeys(Range.open(from, to), k -> k > from && k < to);
        assertKeys(Range.closedOpen(from, to), k -> k >= from && k < to);
        assertKeys(Range.between(from, false, to, true), k -> k > from && k <= to);
      }
    }
    assertKeys(Range.all(), k -> true);
  }

  private static void assertKeys(Range<Integer> range, Predicate<Integer> wanted) {
    KeyRange keys = encode(range, Codec.int32());
    for (int key :
        new int[] {Integer.MIN_VALUE, -4, -3, -2, -1, 0, 1, 2, 3, 4, Integer.MAX_VALUE}) {
      assertThat(keys.contains(Codec.int32().encode(key)))
          .as("%s has %s", range, key)
          .isEqualTo(wanted.test(key));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void prefixesOfTextAndBytes(long seed) {
    Draw draw = new Draw(seed);
    List<String> texts = Draw.list(150, draw::text);
    List<byte[]> strings = Draw.list(150, draw::bytes);
    for (String prefix : texts) {
      KeyRange range = encode(Range.prefix(prefix), Codec.string());
      for (String text : texts) {
        assertThat(range.contains(Codec.string().encode(text)))
            .as("seed=%d: '%s' begins with '%s'", seed, text, prefix)
            .isEqualTo(text.startsWith(prefix));
      }
    }
    for (byte[] prefix : strings) {
      KeyRange range = encode(Range.prefix(prefix), Codec.bytes());
      for (byte[] bytes : strings) {
        assertThat(range.contains(Codec.bytes().encode(bytes)))
            .as("seed=%d: %s begins with %s", seed, bytes, prefix)
            .isEqualTo(
                bytes.length >= prefix.length
                    && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void prefixesOfTuplesAreWholeComponents(long seed) {
    Draw draw = new Draw(seed);
    Codec<Tuple> codec = Codec.tuple(Codec.string(), Codec.int32(), Codec.bytes());
    List<Tuple> tuples =
        Draw.list(120, () -> Tuple.of(draw.text(), draw.below(3), draw.bytes(draw.below(3))));
    for (Tuple whole : tuples) {
      for (int size = 0; size <= 3; size++) {
        Tuple prefix = first(size, whole);
        KeyRange range = encode(Range.prefix(prefix), codec);
        for (Tuple tuple : tuples) {
          assertThat(range.contains(codec.encode(tuple)))
              .as("seed=%d: %s begins with %s", seed, tuple, prefix)
              .isEqualTo(first(size, tuple).equals(prefix));
        }
      }
    }
  }

  private static Tuple first(int size, Tuple tuple) {
    List<Object> components = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      components.add(tuple.get(i));
    }
    return Tuple.of(components.toArray());
  }

  @Test
  void aBackToFrontRangeIsEmpty() {
    assertThat(encode(Range.closed(2, 1), Codec.int32()).isEmpty()).isTrue();
    assertThat(encode(Range.open(1, 1), Codec.int32()).isEmpty()).isTrue();
    assertThat(encode(Range.closed(1, 1), Codec.int32()).isEmpty()).isFalse();
  }

  @Test
  void nullIsRefusedAtOnce() {
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Range.atLeast(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Range.closed(1, nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Range.lessThan(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Range.prefix(nothing()));
  }

  @Test
  void printsItsBounds() {
    assertThat(Range.closedOpen(1, 5)).hasToString("[1, 5)");
    assertThat(Range.greaterThan(1)).hasToString("(1, )");
    assertThat(Range.atMost(5)).hasToString("(, 5]");
    assertThat(Range.prefix("ab")).hasToString("ab*");
  }

  private static <K> KeyRange encode(Range<K> range, Codec<K> codec) {
    return range.encode(codec::encode, codec::prefix);
  }
}
