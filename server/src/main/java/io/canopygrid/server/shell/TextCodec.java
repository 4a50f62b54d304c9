package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Tuple;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

/**
 * A codec between text that people type and the bytes of another codec, whose id it has. The codec
 * makes an index usable whose codecs are known by their ids only.
 *
 * @param real the other codec
 * @param parse makes a value of text; any exception means that the text is wrong
 * @param print makes text of a value
 * @param <T> the type of the other codec
 */
public record TextCodec<T>(Codec<T> real, Function<String, T> parse, Function<T, String> print)
    implements Codec<String> {
  /**
   * The text codec for a codec's id. JSON is its own text; values of an unknown codec are bytes in
   * hexadecimal.
   *
   * @param ordered whether the codec encodes keys
   */
  public static Codec<String> of(String id, boolean ordered) {
    if (id.startsWith("json(")) {
      return raw(id, ordered, text -> text.getBytes(StandardCharsets.UTF_8), TextCodec::utf8);
    }
    return known(id, ordered);
  }

  private static Codec<String> known(String id, boolean ordered) {
    return switch (id) {
      case "int32" -> new TextCodec<>(Codec.int32(), Integer::valueOf, String::valueOf);
      case "int64" -> new TextCodec<>(Codec.int64(), Long::valueOf, String::valueOf);
      case "bool" -> new TextCodec<>(Codec.bool(), TextCodec::bool, String::valueOf);
      case "string" -> Codec.string();
      case "uuid" -> new TextCodec<>(Codec.uuid(), UUID::fromString, String::valueOf);
      case "instant" -> new TextCodec<>(Codec.instant(), Instant::parse, String::valueOf);
      case "decimal" -> new TextCodec<>(Codec.decimal(), BigDecimal::new, BigDecimal::toString);
      default ->
          id.startsWith("tuple(") && id.endsWith(")")
              ? tuple(id)
              : raw(id, ordered, TextCodec::unhex, TextCodec::hex);
    };
  }

  /** The codec of a tuple, whose text is that of its components with commas between them. */
  private static Codec<String> tuple(String id) {
    List<Codec<String>> parts = new ArrayList<>();
    for (String part : parts(id.substring("tuple(".length(), id.length() - 1))) {
      parts.add(of(part, true));
    }
    Codec<Tuple> real = Codec.tuple(parts.toArray(new Codec<?>[0]));
    return new TextCodec<>(
        real,
        text -> Tuple.of((Object[]) text.split(",", parts.size())),
        tuple -> {
          List<String> words = new ArrayList<>();
          for (int i = 0; i < tuple.size(); i++) {
            words.add(tuple.get(i, String.class));
          }
          return String.join(",", words);
        });
  }

  /** Splits text at commas outside of brackets. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(text.substring(from));
    return parts;
  }

  private static Codec<String> raw(
      String id, boolean ordered, Function<String, byte[]> parse, Function<byte[], String> print) {
    return new TextCodec<>(new Named(id, ordered), parse, print);
  }

  /** A codec of bytes with another codec's id. */
  private record Named(String id, boolean ordered) implements Codec<byte[]> {
    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }

    @Override
    public byte[] prefix(byte[] prefix) {
      return prefix;
    }
  }

  private static boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] unhex(String text) {
    return HexFormat.of().parseHex(text.startsWith("0x") ? text.substring(2) : text);
  }

  private static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  @Override
  public String id() {
    return real.id();
  }

  @Override
  public boolean ordered() {
    return real.ordered();
  }

  @Override
  public int fixedLength() {
    return real.fixedLength();
  }

  @Override
  public byte[] encode(String text) {
    return real.encode(parsed(text));
  }

  @Override
  public byte[] prefix(String text) {
    return real.prefix(parsed(text));
  }

  private T parsed(String text) {
    try {
      return parse.apply(text);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      // The message of a NumberFormatException is for programmers.
      String why = e instanceof NumberFormatException ? "" : ": " + e.getMessage();
      throw new CanopyException(ErrorCode.CODEC_FAILURE, "'" + text + "' is no " + id() + why, e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    return print.apply(real.decode(bytes));
  }
}
