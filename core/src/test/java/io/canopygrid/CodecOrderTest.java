package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every ordered codec, over all pairs of drawn values: the order of the bytes is the order of the
 * values, and what is decoded is what was encoded.
 */
final class CodecOrderTest {
  private static final int VALUES = 220;
  private static final Comparator<String> BY_CODE_POINT =
      (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  private static final Comparator<UUID> BY_TEXT = Comparator.comparing(UUID::toString);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void wholeNumbers(long seed) {
    Draw draw = new Draw(seed);
    check(seed, Codec.int32(), Draw.list(VALUES, draw::int32), Comparator.naturalOrder());
    check(seed, Codec.int64(), Draw.list(VALUES, draw::int64), Comparator.naturalOrder());
    check(seed, Codec.bool(), List.of(true, false), Comparator.naturalOrder());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void textAndBytes(long seed) {
    Draw draw = new Draw(seed);
    check(seed, Codec.string(), Draw.list(VALUES, draw::text), BY_CODE_POINT);
    check(seed, Codec.bytes(), Draw.list(VALUES, draw::bytes), Arrays::compareUnsigned);
    check(seed, Codec.uuid(), Draw.list(VALUES, draw::uuid), BY_TEXT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void times(long seed) {
    Draw draw = new Draw(seed);
    check(seed, Codec.instant(), Draw.list(VALUES, draw::instant), Comparator.naturalOrder());
    check(seed, Codec.date(), Draw.list(VALUES, draw::date), Comparator.naturalOrder());
    check(seed, Codec.dateTime(), Draw.list(VALUES, draw::dateTime), Comparator.naturalOrder());
    check(
        seed,
        Codec.offsetDateTime(),
        Draw.list(VALUES, draw::offsetDateTime),
        Comparator.naturalOrder());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void floatingPointNumbers(long seed) {
    Draw draw = new Draw(seed);
    check(seed, Codec.float64(), Draw.list(VALUES, draw::float64), Comparator.naturalOrder());
  }

  @Test
  void constantsAreInTheOrderOfTheirClass() {
    check(
        0,
        Codec.enumeration(ChronoUnit.class),
        List.of(ChronoUnit.values()),
        Comparator.naturalOrder());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingComesBeforeWhatIsThere(long seed) {
    Draw draw = new Draw(seed);
    check(
        seed,
        Codec.optional(Codec.string()),
        Draw.list(VALUES, () -> draw.below(5) == 0 ? Optional.empty() : Optional.of(draw.text())),
        CodecOrderTest.<String>emptyFirst(BY_CODE_POINT));
    check(
        seed,
        Codec.optional(Codec.int64()),
        Draw.list(VALUES, () -> draw.below(5) == 0 ? Optional.empty() : Optional.of(draw.int64())),
        CodecOrderTest.<Long>emptyFirst(Comparator.naturalOrder()));
  }

  private static <T> Comparator<Optional<T>> emptyFirst(Comparator<? super T> order) {
    return (a, b) ->
        a.isPresent() && b.isPresent()
            ? order.compare(a.get(), b.get())
            : Boolean.compare(a.isPresent(), b.isPresent());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void descendingOnesAreInTheOppositeOrder(long seed) {
    Draw draw = new Draw(seed);
    check(
        seed,
        Codec.descending(Codec.int64()),
        Draw.list(VALUES, draw::int64),
        Comparator.reverseOrder());
    check(
        seed,
        Codec.descending(Codec.string()),
        Draw.list(VALUES, draw::text),
        BY_CODE_POINT.reversed());
    check(
        seed,
        Codec.descending(Codec.bytes()),
        Draw.list(VALUES, draw::bytes),
        (a, b) -> Arrays.compareUnsigned(b, a));
    check(
        seed,
        Codec.descending(Codec.descending(Codec.bytes())),
        Draw.list(VALUES, draw::bytes),
        Arrays::compareUnsigned);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tuplesOfAllKinds(long seed) {
    Draw draw = new Draw(seed);
    Codec<Tuple> codec =
        Codec.tuple(
            Codec.optional(Codec.string()), Codec.descending(Codec.string()), Codec.float64());
    Comparator<Optional<String>> first = emptyFirst(BY_CODE_POINT);
    Comparator<Tuple> natural =
        (a, b) -> first.compare(CodecOrderTest.optional(a), CodecOrderTest.optional(b));
    check(
        seed,
        codec,
        Draw.list(
            VALUES,
            () ->
                Tuple.of(
                    draw.below(3) == 0 ? Optional.empty() : Optional.of(shortText(draw)),
                    shortText(draw),
                    draw.float64())),
        natural
            .thenComparing(by(1, String.class, BY_CODE_POINT.reversed()))
            .thenComparing(by(2, Double.class, Comparator.naturalOrder())),
        Function.identity());
  }

  @SuppressWarnings("unchecked")
  private static Optional<String> optional(Tuple tuple) {
    return (Optional<String>) tuple.get(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void prefixesAreTheBeginningsOfWhatBeginsWithThem(long seed) {
    Draw draw = new Draw(seed);
    Codec<String> descending = Codec.descending(Codec.string());
    Codec<Optional<String>> optional = Codec.optional(Codec.string());
    List<String> texts = Draw.list(100, draw::text);
    for (String prefix : texts) {
      for (String text : texts) {
        String as = "seed=%d '%s' in '%s'".formatted(seed, prefix, text);
        assertThat(begins(descending.prefix(prefix), descending.encode(text)))
            .as(as)
            .isEqualTo(text.startsWith(prefix));
        assertThat(begins(optional.prefix(Optional.of(prefix)), optional.encode(Optional.of(text))))
            .as(as)
            .isEqualTo(text.startsWith(prefix));
      }
    }
  }

  private static boolean begins(byte[] prefix, byte[] bytes) {
    return prefix.length <= bytes.length
        && Arrays.equals(prefix, 0, prefix.length, bytes, 0, prefix.length);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void decimals(long seed) {
    Draw draw = new Draw(seed);
    List<BigDecimal> values = Draw.list(VALUES, draw::decimal);
    check(seed, Codec.decimal(), values, Comparator.naturalOrder(), BigDecimal::stripTrailingZeros);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tuplesCompareComponentByComponent(long seed) {
    Draw draw = new Draw(seed);
    Codec<Tuple> codec = Codec.tuple(Codec.string(), Codec.int64(), Codec.bytes());
    Comparator<Tuple> natural =
        by(0, String.class, BY_CODE_POINT)
            .thenComparing(by(1, Long.class, Comparator.naturalOrder()))
            .thenComparing(by(2, byte[].class, Arrays::compareUnsigned));
    check(
        seed,
        codec,
        Draw.list(VALUES, () -> Tuple.of(shortText(draw), (long) draw.below(3) - 1, draw.bytes())),
        natural);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nestedTuplesCompareLikeFlatOnes(long seed) {
    Draw draw = new Draw(seed);
    Codec<Tuple> codec = Codec.tuple(Codec.tuple(Codec.bytes(), Codec.decimal()), Codec.bool());
    Comparator<Tuple> inner =
        by(0, byte[].class, Arrays::compareUnsigned)
            .thenComparing(by(1, BigDecimal.class, Comparator.naturalOrder()));
    Comparator<Tuple> natural =
        by(0, Tuple.class, inner).thenComparing(by(1, Boolean.class, Comparator.naturalOrder()));
    check(
        seed,
        codec,
        Draw.list(
            VALUES,
            () ->
                Tuple.of(
                    Tuple.of(draw.bytes(draw.below(3)), draw.decimal().stripTrailingZeros()),
                    draw.bool())),
        natural);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noTupleIsTheBeginningOfAnother(long seed) {
    Draw draw = new Draw(seed);
    Codec<Tuple> codec = Codec.tuple(Codec.bytes(), Codec.string());
    List<Tuple> values = Draw.list(VALUES, () -> Tuple.of(draw.bytes(), draw.text()));
    for (Tuple a : values) {
      for (Tuple b : values) {
        byte[] x = codec.encode(a);
        byte[] y = codec.encode(b);
        if (!a.equals(b) && x.length <= y.length && Arrays.equals(x, 0, x.length, y, 0, x.length)) {
          fail("seed=%d: the encoding of %s is the beginning of that of %s", seed, a, b);
        }
      }
    }
  }

  private static String shortText(Draw draw) {
    String text = draw.text();
    return text.substring(
        0, text.offsetByCodePoints(0, Math.min(1, text.codePointCount(0, text.length()))));
  }

  private static <T> Comparator<Tuple> by(int i, Class<T> type, Comparator<? super T> order) {
    return (a, b) -> order.compare(a.get(i, type), b.get(i, type));
  }

  @Test
  void someOrdersAreNotNatural() {
    List<Codec<?>> natural =
        List.of(
            Codec.int32(),
            Codec.int64(),
            Codec.float64(),
            Codec.bool(),
            Codec.instant(),
            Codec.date(),
            Codec.dateTime(),
            Codec.offsetDateTime(),
            Codec.decimal(),
            Codec.enumeration(ChronoUnit.class));
    assertThat(natural).allMatch(Codec::naturallyOrdered);
    List<Codec<?>> others =
        List.of(
            Codec.string(),
            Codec.bytes(),
            Codec.uuid(),
            Codec.optional(Codec.int64()),
            Codec.descending(Codec.int64()),
            Codec.tuple(Codec.int64(), Codec.int64()),
            Codec.json(Object.class));
    assertThat(others).noneMatch(Codec::naturallyOrdered);
  }

  @SuppressWarnings("unchecked") // the codec says so
  private static <T> Comparator<? super T> natural(Codec<T> codec, Comparator<? super T> other) {
    return codec.naturallyOrdered() ? (Comparator<T>) Comparator.naturalOrder() : other;
  }

  private static <T> void check(
      long seed, Codec<T> codec, List<T> values, Comparator<? super T> natural) {
    check(seed, codec, values, natural, Function.identity());
  }

  private static <T> void check(
      long seed,
      Codec<T> codec,
      List<T> values,
      Comparator<? super T> natural,
      Function<T, T> canonical) {
    List<byte[]> encoded = values.stream().map(codec::encode).toList();
    Comparator<? super T> order = natural(codec, natural);
    for (int i = 0; i < values.size(); i++) {
      T value = values.get(i);
      byte[] bytes = encoded.get(i);
      assertThat(codec.decode(bytes))
          .as("seed=%d %s round trip", seed, codec.id())
          .isEqualTo(canonical.apply(value));
      if (codec.fixedLength() != Codec.VARIABLE_LENGTH) {
        assertThat(bytes).as("seed=%d %s", seed, codec.id()).hasSize(codec.fixedLength());
      }
      for (int j = 0; j < values.size(); j++) {
        int wanted = Integer.signum(order.compare(value, values.get(j)));
        int actual = Integer.signum(Arrays.compareUnsigned(bytes, encoded.get(j)));
        if (wanted != actual) {
          HexFormat hex = HexFormat.of();
          fail(
              "seed=%d %s: compare(%s, %s) is %d, of the bytes %s and %s it is %d",
              seed,
              codec.id(),
              value,
              values.get(j),
              wanted,
              hex.formatHex(bytes),
              hex.formatHex(encoded.get(j)),
              actual);
        }
      }
    }
    assertThat(codec.ordered()).isTrue();
  }
}
