package io.canopygrid.server.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Tuple;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text as the bytes of other codecs. */
final class TextCodecTest {
  @ParameterizedTest
  @CsvSource({
    "int32, -7",
    "int64, 7000000000",
    "float64, -0.0",
    "float64, 6.02214076E23",
    "float64, NaN",
    "float64, -Infinity",
    "date, 2026-11-27",
    "date, +999999999-12-31",
    "datetime, 2026-11-27T23:59:59.000000001",
    "offsetdatetime, 2026-11-27T08:30+05:45",
    "optional(int64), none",
    "optional(int64), =-5",
    "optional(string), =none",
    "descending(date), 2026-11-27",
    "descending(string), Ada",
    "'tuple(descending(instant),optional(string))', '2026-11-21T18:00:00Z,=a,b'",
    "enum(com.shop.State), 1:PAID",
    "bool, true",
    "string, Ada",
    "uuid, 00000000-0000-0001-0000-000000000002",
    "instant, 2026-11-21T18:00:00Z",
    "decimal, 3.25",
    "bytes, 0x00ff",
    "my-own-codec, 0x00ff",
    "'tuple(string,tuple(int32,bool))', 'a,1,true'",
    "'json(com.shop.Account)', '{\"cents\":5}'"
  })
  void readsWhatItPrintsUnderTheSameName(String id, String text) {
    Codec<String> codec = TextCodec.of(id, true);
    assertThat(codec.id()).isEqualTo(id);
    assertThat(codec.decode(codec.encode(text))).isEqualTo(text);
  }

  @Test
  void makesTheBytesOfTheRealCodec() {
    assertThat(TextCodec.of("int64", true).encode("5")).isEqualTo(Codec.int64().encode(5L));
    Codec<Tuple> tuples = Codec.tuple(Codec.string(), Codec.int64());
    assertThat(TextCodec.of(tuples.id(), true).encode("a,5"))
        .isEqualTo(tuples.encode(Tuple.of("a", 5L)));
    assertThat(TextCodec.of("float64", true).encode("0.1")).isEqualTo(Codec.float64().encode(0.1));
    assertThat(TextCodec.of("float64", true).encode("7")).isEqualTo(Codec.float64().encode(7.0));
    assertThat(TextCodec.of(Codec.enumeration(Thread.State.class).id(), true).encode("1:RUNNABLE"))
        .isEqualTo(Codec.enumeration(Thread.State.class).encode(Thread.State.RUNNABLE));
    assertThat(TextCodec.of("descending(string)", true).encode("a"))
        .isEqualTo(Codec.descending(Codec.string()).encode("a"));
    assertThat(TextCodec.of("string", true).prefix("a")).isEqualTo(Codec.string().prefix("a"));
  }

  @Test
  void whatDoesNotFitIsACodedError() {
    for (Map.Entry<String, String> odd :
        Map.of("int64", "five", "bool", "yes", "uuid", "1", "bytes", "0x0").entrySet()) {
      CanopyException e =
          catchThrowableOfType(
              CanopyException.class, () -> TextCodec.of(odd.getKey(), true).encode(odd.getValue()));
      assertThat(e.code()).isEqualTo(ErrorCode.CODEC_FAILURE);
      assertThat(e.detail()).contains(odd.getKey()).contains(odd.getValue());
    }
    assertThat(
            catchThrowableOfType(
                CanopyException.class, () -> TextCodec.of("int64", true).encode("five")))
        .extracting(CanopyException::detail)
        .isEqualTo("'five' is no int64");
  }

  @Test
  void eachTupleHasATextOfItsOwn() {
    Codec<Tuple> real = Codec.tuple(Codec.string(), Codec.string());
    Codec<String> codec = TextCodec.of(real.id(), true);
    for (Tuple tuple :
        new Tuple[] {
          Tuple.of("a,b", "c"), Tuple.of("a", "b,c"), Tuple.of("%2C", "%"), Tuple.of("", "")
        }) {
      String text = codec.decode(real.encode(tuple));
      assertThat(codec.encode(text)).as(text).isEqualTo(real.encode(tuple));
    }
    assertThat(codec.encode("a,b,c")).isEqualTo(real.encode(Tuple.of("a", "b,c")));
    assertRefused(codec, "100%,x");
  }

  @ParameterizedTest
  @CsvSource({
    "uuid, 123456789-0-0-0-1",
    "uuid, 067e6162-3b6f-4ae2-a171f-2470b63dff0",
    "instant, 2016-12-31T23:59:60Z",
    "instant, 2016-02-30T00:00:00Z",
    "int64, \u0661\u0662",
    "int32, 2147483648",
    "decimal, \u0661.5",
    "float64, 0.1234567890123456789",
    "float64, 9007199254740993",
    "float64, 1E400",
    "float64, 1E-400",
    "float64, 0x1p3",
    "float64, 1d",
    "float64, \u0661",
    "date, 2026-02-30",
    "date, \u0662026-02-20",
    "datetime, 2026-01-01T24:00",
    "datetime, 2016-12-31T23:59:60",
    "offsetdatetime, 2026-01-01T00:00",
    "offsetdatetime, 2026-01-01T00:00+19:00",
    "optional(int64), 5",
    "optional(int64), =x",
    "enum(x.Y), PAID",
    "enum(x.Y), 65536:PAID",
    "enum(x.Y), 1:",
    "json(x.Y), {not-json",
    "json(x.Y), null",
    "json(x.Y), {} {}",
    "json(x.Y), '{\"a\":1,\"a\":2}'"
  })
  void whatWouldBecomeAnotherValueIsRefused(String id, String text) {
    assertRefused(TextCodec.of(id, false), text);
  }

  private static void assertRefused(Codec<String> codec, String text) {
    CanopyException e = catchThrowableOfType(CanopyException.class, () -> codec.encode(text));
    assertThat(e.code()).isEqualTo(ErrorCode.CODEC_FAILURE);
  }

  @Test
  void mistypedNamesOfCodecsAreRefused() {
    for (String name :
        new String[] {
          "int46", "INT64", "tuple(int64,strng)", "json()", "optional(it64)", "enum()", ""
        }) {
      CanopyException e =
          catchThrowableOfType(CanopyException.class, () -> CodecNames.ofValues(name));
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(e.detail()).contains("did you mean", "int64");
    }
    assertThat(CodecNames.ofKeys("tuple(string,int64)").id()).isEqualTo("tuple(string,int64)");
    for (String unordered :
        new String[] {"json(x.Y)", "tuple(int64,json(x.Y))", "optional(json(x.Y))"}) {
      assertThat(catchThrowableOfType(CanopyException.class, () -> CodecNames.ofKeys(unordered)))
          .as(unordered)
          .hasMessageContaining("no order");
    }
    assertThat(
            catchThrowableOfType(
                CanopyException.class, () -> CodecNames.ofValues("descending(json(x.Y))")))
        .hasMessageContaining("no order");
    assertThat(CodecNames.ofValues("optional(json(x.Y))").id()).isEqualTo("optional(json(x.Y))");
    assertThat(CodecNames.ofKeys("descending(tuple(date,optional(string)))").ordered()).isTrue();
  }
}
