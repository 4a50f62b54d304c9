package io.canopygrid.server.shell;

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
    for (String name : new String[] {"int46", "INT64", "tuple(int64,strng)", "json()", ""}) {
      CanopyException e =
          catchThrowableOfType(CanopyException.class, () -> CodecNames.ofValues(name));
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(e.detail()).contains("did you mean", "int64");
    }
    assertThat(CodecNames.ofKeys("tuple(string,int64)").id()).isEqualTo("tuple(string,int64)");
    assertThat(catchThrowableOfType(CanopyException.class, () -> CodecNames.ofKeys("json(x.Y)")))
        .isNotNull();
  }
}
