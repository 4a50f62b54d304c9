package io.canopygrid;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Codecs refuse wrong values and bytes with a code and a reason. */
final class CodecFailureTest {
  private static final List<Codec<?>> ORDERED =
      List.of(
          Codec.int32(),
          Codec.int64(),
          Codec.bool(),
          Codec.string(),
          Codec.bytes(),
          Codec.uuid(),
          Codec.instant(),
          Codec.decimal(),
          Codec.float64(),
          Codec.date(),
          Codec.dateTime(),
          Codec.offsetDateTime(),
          Codec.enumeration(Season.class),
          Codec.optional(Codec.bool()),
          Codec.optional(Codec.string()),
          Codec.descending(Codec.string()),
          Codec.descending(Codec.int32()),
          Codec.tuple(Codec.string(), Codec.int32()),
          Codec.tuple(Codec.bool(), Codec.decimal(), Codec.bytes()));

  /** Constants. */
  enum Season {
    SPRING,
    SUMMER
  }

  /** The same after a change. */
  enum Changed {
    WINTER,
    SPRING
  }

  /** A value for JSON. */
  record Account(String owner, long cents) {}

  /** Any bytes either stand for a value, of which they are the one encoding, or are refused. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyBytesAreTheOneEncodingOfAValueOrRefused(long seed) {
    Draw draw = new Draw(seed);
    for (Codec<?> codec : ORDERED) {
      for (int i = 0; i < 1_500; i++) {
        byte[] bytes = draw.bytes(draw.below(18));
        requireOneEncodingOrRefused(seed, codec, bytes);
      }
    }
  }

  /** Bytes that nearly stand for a value find more of a decoder than random ones. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void damagedEncodingsToo(long seed) {
    Draw draw = new Draw(seed);
    for (int i = 0; i < 1_500; i++) {
      requireOneEncodingOrRefused(
          seed, Codec.decimal(), damaged(draw, Codec.decimal().encode(draw.decimal())));
      Codec<Tuple> tuple = Codec.tuple(Codec.string(), Codec.decimal());
      requireOneEncodingOrRefused(
          seed, tuple, damaged(draw, tuple.encode(Tuple.of(draw.text(), draw.decimal()))));
      requireOneEncodingOrRefused(
          seed, Codec.string(), damaged(draw, Codec.string().encode(draw.text())));
    }
  }

  private static byte[] damaged(Draw draw, byte[] bytes) {
    byte[] result = Arrays.copyOf(bytes, Math.max(1, bytes.length + draw.below(3) - 1));
    result[draw.below(result.length)] = draw.bytes(1)[0];
    return result;
  }

  private static <T> void requireOneEncodingOrRefused(long seed, Codec<T> codec, byte[] bytes) {
    T value;
    try {
      value = codec.decode(bytes);
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.CODEC_FAILURE) {
        fail("seed=%d %s: another error".formatted(seed, codec.id()), e);
      }
      return;
    }
    if (!Arrays.equals(codec.encode(value), bytes)) {
      fail(
          "seed=%d %s: %s decodes to %s, which has another encoding",
          seed, codec.id(), HexFormat.of().formatHex(bytes), value);
    }
  }

  @Test
  void unpairedSurrogatesHaveNoEncoding() {
    assertFailure(() -> Codec.string().encode("ab\uD83Dc"), "unpaired surrogate at index 2");
    assertFailure(() -> Codec.string().encode("\uDF33"), "unpaired surrogate at index 0");
  }

  @Test
  void stringsAreInTheOrderOfCodePointsAndNotOfUtf16() {
    String beyondTheBasicPlane = "\uD83C\uDF33";
    String privateUse = "\uE000";
    assertThat(beyondTheBasicPlane).isLessThan(privateUse);
    assertThat(
            Arrays.compareUnsigned(
                Codec.string().encode(beyondTheBasicPlane), Codec.string().encode(privateUse)))
        .isPositive();
  }

  @Test
  void decimalsAreBounded() {
    assertFailure(() -> Codec.decimal().encode(new BigDecimal("1E+32768")), "exponent");
    assertFailure(() -> Codec.decimal().encode(new BigDecimal("1E-32768")), "exponent");
    assertFailure(
        () -> Codec.decimal().encode(new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE)),
        "exponent");
    assertFailure(
        () -> Codec.decimal().encode(new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)),
        "exponent");
    assertFailure(
        () -> Codec.decimal().encode(new BigDecimal("1".repeat(1_001))), "at most 1000 digits");
    BigDecimal longest = new BigDecimal("1".repeat(1_000) + "0".repeat(500));
    assertThat(Codec.decimal().decode(Codec.decimal().encode(longest)))
        .isEqualByComparingTo(longest);
    assertThat(Codec.decimal().encode(new BigDecimal("0E+999999999"))).hasSize(1);
  }

  @Test
  void equalDecimalsAreOneKey() {
    assertThat(Codec.decimal().encode(new BigDecimal("1.00")))
        .isEqualTo(Codec.decimal().encode(new BigDecimal("1.0")));
    assertThat(Codec.decimal().encode(new BigDecimal("-0.00")))
        .isEqualTo(Codec.decimal().encode(BigDecimal.ZERO));
  }

  @Test
  void decodingSaysWhatIsWrong() {
    assertFailure(() -> Codec.int64().decode(new byte[7]), "codec int64", "8 bytes wanted, has 7");
    assertFailure(() -> Codec.bool().decode(new byte[] {2}), "a boolean is 0 or 1: 2");
    assertFailure(() -> Codec.string().decode(new byte[] {(byte) 0xC0, 0}), "not UTF-8");
    assertFailure(() -> Codec.instant().decode(new byte[12]), "out of an instant's range");
    byte[] tooManyNanos = Codec.instant().encode(Instant.EPOCH);
    Arrays.fill(tooManyNanos, 8, 12, (byte) 0x7F);
    assertFailure(() -> Codec.instant().decode(tooManyNanos), "nanoseconds must be from 0");
    assertFailure(
        () -> Codec.tuple(Codec.int32(), Codec.string()).decode(new byte[4]), "ends too early");
    assertFailure(
        () -> Codec.tuple(Codec.int32(), Codec.bool()).decode(new byte[6]), "1 bytes too many");
  }

  @Test
  void aConstantThatHasMovedOrGoneIsNeverReadAsAnother() {
    byte[] spring = Codec.enumeration(Season.class).encode(Season.SPRING);
    byte[] summer = Codec.enumeration(Season.class).encode(Season.SUMMER);
    assertFailure(
        () -> Codec.enumeration(Changed.class).decode(spring), "SPRING was number 0 and is 1 now");
    assertFailure(
        () -> Codec.enumeration(Changed.class).decode(summer), "no constant 'SUMMER' now");
    assertFailure(() -> Codec.enumeration(Season.class).decode(new byte[2]), "place and a name");
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> Codec.enumeration(notAnEnum()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // what a caller without generics can do
  private static Class<Season> notAnEnum() {
    return (Class) String.class;
  }

  @Test
  void nothingWithoutOrderCanBeTurnedRound() {
    assertCoded(
        ErrorCode.INVALID_ARGUMENT, () -> Codec.descending(Codec.json(Account.class)), "json(");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.descending(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.optional(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.enumeration(nothing()));
    assertThat(Codec.optional(Codec.json(Account.class)).ordered()).isFalse();
  }

  @Test
  void timesOutOfRangeAreRefused() {
    assertFailure(() -> Codec.date().decode(new byte[5]), "days out of a date's range");
    byte[] noon = Codec.dateTime().encode(LocalDate.EPOCH.atTime(12, 0));
    Arrays.fill(noon, 5, 11, (byte) 0x7F);
    assertFailure(() -> Codec.dateTime().decode(noon), "out of a day's range");
    byte[] offset = Codec.offsetDateTime().encode(OffsetDateTime.MIN);
    Arrays.fill(offset, 12, 16, (byte) 0);
    assertFailure(() -> Codec.offsetDateTime().decode(offset), "offset out of range");
    byte[] other = Codec.float64().encode(Double.NaN);
    other[7] = 1;
    assertFailure(() -> Codec.float64().decode(other), "another encoding of NaN");
  }

  @Test
  void nullHasNoEncoding() {
    for (Codec<?> codec : ORDERED) {
      assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> codec.encode(nothing()));
      assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> codec.decode(nothing()));
    }
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.json(Account.class).encode(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.json(nothing()));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> Codec.tuple(Codec.int32(), nothing()));
  }

  @Test
  void tuplesHaveTheirCodecsSizeAndTypes() {
    Codec<Tuple> codec = Codec.tuple(Codec.string(), Codec.int64());
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> codec.encode(Tuple.of("a")));
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> codec.encode(Tuple.of("a", 1L, 2L)));
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> codec.prefix(Tuple.of("a", 1L, 2L)));
    assertFailure(
        () -> codec.encode(Tuple.of("a", 1)), "component 1", "int64", "java.lang.Integer");
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> Codec.tuple(Codec.int32()));
    Codec<?>[] seventeen = new Codec<?>[17];
    Arrays.fill(seventeen, Codec.int32());
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> Codec.tuple(seventeen));
  }

  @Test
  void onlySomeCodecsKnowPrefixes() {
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> Codec.int64().prefix(1L), "int64");
    assertCoded(ErrorCode.INVALID_ARGUMENT, () -> Codec.decimal().prefix(BigDecimal.ONE));
    assertThat(Codec.string().prefix("ab")).isEqualTo(new byte[] {'a', 'b'});
  }

  @Test
  void jsonKeepsValuesAndRefusesOthers() {
    Codec<Account> codec = Codec.json(Account.class);
    assertThat(codec.decode(codec.encode(new Account("ann", 5)))).isEqualTo(new Account("ann", 5));
    assertThat(codec.ordered()).isFalse();
    assertThat(Codec.tuple(Codec.int32(), codec).ordered()).isFalse();
    assertFailure(() -> codec.decode("{\"owner\":".getBytes(UTF_8)), codec.id());
    assertFailure(() -> codec.decode("{\"color\":1}".getBytes(UTF_8)), "color");
    assertFailure(() -> codec.decode("{} {}".getBytes(UTF_8)), codec.id());
    assertFailure(() -> codec.decode("null".getBytes(UTF_8)), "null");
    assertFailure(() -> codec.decode(new byte[0]), codec.id());
    assertFailure(() -> Codec.json(Object.class).encode(new Object()), "java.lang.Object");
  }

  @Test
  void equalJsonValuesHaveEqualBytes() {
    Codec<Map<?, ?>> codec = cast(Codec.json(Map.class));
    Map<String, Integer> sorted = new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3, "d", 4));
    Map<String, Integer> turned = new LinkedHashMap<>();
    for (String key : List.of("d", "c", "b", "a")) {
      turned.put(key, sorted.get(key));
    }
    assertThat(codec.encode(turned)).isEqualTo(codec.encode(sorted));
  }

  @Test
  void idsNameTheEncoding() {
    assertThat(Codec.tuple(Codec.string(), Codec.tuple(Codec.uuid(), Codec.int32())).id())
        .isEqualTo("tuple(string,tuple(uuid,int32))");
    assertThat(Codec.json(Account.class).id())
        .isEqualTo("json(io.canopygrid.CodecFailureTest$Account)");
    assertThat(Codec.descending(Codec.optional(Codec.date())).id())
        .isEqualTo("descending(optional(date))");
    assertThat(Codec.enumeration(Season.class).id())
        .isEqualTo("enum(io.canopygrid.CodecFailureTest$Season)");
    assertThat(ORDERED.stream().map(Codec::id))
        .startsWith("int32", "int64", "bool", "string", "bytes", "uuid", "instant", "decimal")
        .doesNotHaveDuplicates();
  }

  @Test
  void whatIsEncodedIsTheCallersOwn() {
    byte[] key = {1, 2};
    byte[] encoded = Codec.bytes().encode(key);
    encoded[0] = 9;
    assertThat(key).containsExactly(1, 2);
    byte[] decoded = Codec.bytes().decode(encoded);
    encoded[1] = 9;
    assertThat(decoded).containsExactly(9, 2);
  }

  @SuppressWarnings("unchecked")
  private static <T> Codec<T> cast(Codec<?> codec) {
    return (Codec<T>) codec;
  }

  private static void assertFailure(ThrowingCallable call, String... parts) {
    assertCoded(ErrorCode.CODEC_FAILURE, call, parts);
  }
}
