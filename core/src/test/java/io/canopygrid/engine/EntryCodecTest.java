package io.canopygrid.engine;

import static io.canopygrid.Coded.assertCoded;
import static io.canopygrid.Coded.nothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Coded;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import io.canopygrid.Tuple;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.names.IndexNames;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edge between entries and bytes: sizes, nulls, foreign codecs, names. */
final class EntryCodecTest {
  private static final EntryCodec<byte[], byte[]> BYTES =
      new EntryCodec<>("i", Codec.bytes(), Codec.bytes());

  @Test
  void keysAndValuesUpToTheLimit() {
    assertThat(BYTES.encodeKey(new byte[Limits.KEY_BYTES_MAX])).hasSize(8 * 1024);
    assertThat(BYTES.encodeValue(new byte[Limits.VALUE_BYTES_MAX])).hasSize(8 * 1024 * 1024);
    assertCoded(
        ErrorCode.KEY_TOO_LARGE,
        () -> BYTES.encodeKey(new byte[Limits.KEY_BYTES_MAX + 1]),
        "index 'i'",
        "8193 bytes, at most 8192");
    assertCoded(
        ErrorCode.VALUE_TOO_LARGE,
        () -> BYTES.encodeValue(new byte[Limits.VALUE_BYTES_MAX + 1]),
        "index 'i'");
    assertCoded(
        ErrorCode.KEY_TOO_LARGE,
        () -> BYTES.encodeRange(Range.atLeast(new byte[Limits.KEY_BYTES_MAX + 1])));
    assertCoded(
        ErrorCode.KEY_TOO_LARGE,
        () -> BYTES.encodeRange(Range.prefix(new byte[Limits.KEY_BYTES_MAX + 1])));
  }

  @Test
  void nullIsRefused() {
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> BYTES.encodeKey(null), "the key is null");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> BYTES.encodeValue(null), "the value is null");
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> BYTES.encodeRange(null), "the range is null");
  }

  @Test
  void rangesBecomeRangesOfKeys() {
    EntryCodec<Tuple, Long> codec =
        new EntryCodec<>("t", Codec.tuple(Codec.string(), Codec.int64()), Codec.int64());
    assertThat(codec.encodeRange(Range.all())).isSameAs(KeyRange.ALL);
    KeyRange ann = codec.encodeRange(Range.prefix(Tuple.of("ann")));
    assertThat(ann.contains(codec.encodeKey(Tuple.of("ann", Long.MIN_VALUE)))).isTrue();
    assertThat(ann.contains(codec.encodeKey(Tuple.of("ann", Long.MAX_VALUE)))).isTrue();
    assertThat(ann.contains(codec.encodeKey(Tuple.of("anna", 0L)))).isFalse();
    assertCoded(
        ErrorCode.INVALID_ARGUMENT, () -> codec.encodeRange(Range.atLeast(Tuple.of("ann"))));
    EntryCodec<Long, Long> numbers = new EntryCodec<>("n", Codec.int64(), Codec.int64());
    assertCoded(
        ErrorCode.INVALID_ARGUMENT, () -> numbers.encodeRange(Range.prefix(1L)), "no prefixes");
  }

  @Test
  void whatAForeignCodecThrowsIsCoded() {
    EntryCodec<String, String> broken =
        new EntryCodec<>(
            "b",
            new ForeignCodec(
                "mine",
                text -> {
                  throw new IllegalStateException("no " + text);
                }),
            new ForeignCodec("empty", text -> nothing()));
    String[] where = {"index 'b'", "codec mine cannot encode", "no x"};
    assertCoded(ErrorCode.CODEC_FAILURE, () -> broken.encodeKey("x"), where);
    assertCoded(ErrorCode.CODEC_FAILURE, () -> broken.encodeRange(Range.atLeast("x")), where);
    assertCoded(ErrorCode.CODEC_FAILURE, () -> broken.encodeRange(Range.prefix("x")), where);
    assertCoded(ErrorCode.CODEC_FAILURE, () -> broken.encodeValue("x"), "its result is null");
    assertCoded(ErrorCode.CODEC_FAILURE, () -> broken.decodeKey(new byte[1]), "cannot decode");
    assertCoded(
        ErrorCode.CODEC_FAILURE, () -> broken.decodeValue(new byte[0]), "its result is null");
  }

  @Test
  void codecsFitTheirPlace() {
    assertCoded(
        ErrorCode.INVALID_ARGUMENT,
        () -> new EntryCodec<>("j", Codec.json(String.class), Codec.string()),
        "keeps no order");
    assertCoded(
        ErrorCode.INVALID_ARGUMENT,
        () -> new EntryCodec<>("j", Codec.string(), new ForeignCodec("", String::getBytes)),
        "id of the value codec");
    assertCoded(
        ErrorCode.INVALID_ARGUMENT,
        () ->
            new EntryCodec<>(
                "j", new ForeignCodec("x".repeat(1025), String::getBytes), Codec.string()),
        "has 1025");
    assertCoded(
        ErrorCode.NULL_NOT_ALLOWED,
        () -> new EntryCodec<>("j", Coded.<Codec<String>>nothing(), Codec.string()),
        "the key codec is null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "accounts", "A.b_c-9", "z9"})
  void allowedNames(String name) {
    assertThat(IndexNames.checked(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "9a",
        ".a",
        "_a",
        "a/b",
        "ä",
        "a\n",
        "a'",
        "\u0000",
        "\uD83C\uDF33"
      })
  void oddNames(String name) {
    assertCoded(ErrorCode.INVALID_INDEX_NAME, () -> IndexNames.checked(name), "the name '");
    assertCoded(
        ErrorCode.INVALID_INDEX_NAME, () -> new EntryCodec<>(name, Codec.string(), Codec.string()));
  }

  @Test
  void namesInErrorsArePrintableAndCut() {
    assertCoded(ErrorCode.INVALID_INDEX_NAME, () -> IndexNames.checked("a\nb"), "'a\\u{A}b'");
    assertCoded(ErrorCode.INVALID_INDEX_NAME, () -> IndexNames.checked("x".repeat(100_000)), "x…'");
    assertThat(IndexNames.checked("x".repeat(128))).hasSize(128);
    assertCoded(ErrorCode.INVALID_INDEX_NAME, () -> IndexNames.checked("x".repeat(129)));
    assertCoded(ErrorCode.NULL_NOT_ALLOWED, () -> IndexNames.checked(null));
  }

  /** A codec as a user might write one. */
  private record ForeignCodec(String id, Function<String, byte[]> encoder)
      implements Codec<String> {
    @Override
    public boolean ordered() {
      return true;
    }

    @Override
    public byte[] encode(String value) {
      return encoder.apply(value);
    }

    @Override
    public byte[] prefix(String prefix) {
      return encoder.apply(prefix);
    }

    @Override
    public String decode(byte[] bytes) {
      if (bytes.length == 0) {
        return nothing();
      }
      throw new ArrayIndexOutOfBoundsException(bytes.length);
    }
  }
}
