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
    "'tuple(string,tuple(int32,bool))', 'a,1%2Ctrue'",
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
}
