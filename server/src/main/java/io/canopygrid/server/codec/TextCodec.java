package io.canopygrid.server.codec;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Tuple;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;

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
  /** No text of a number that Java prints has more. */
  private static final int FLOAT64_DIGITS = 17;

  private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

  /**
   * The text codec for a codec's id. JSON is its own text; values of an unknown codec are bytes in
   * hexadecimal.
   *
   * @param ordered whether the codec encodes keys
   */
  public static Codec<String> of(String id, boolean ordered) {
    if (isJson(id)) {
      return raw(id, ordered, JsonText::bytes, TextCodec::utf8);
    }
    return known(id, ordered);
  }

  /** Whether it is the id of a codec whose bytes are JSON. */
  public static boolean isJson(String id) {
    return id.startsWith("json(");
  }

  private static Codec<String> known(String id, boolean ordered) {
    return switch (id) {
      case "int32" ->
          new TextCodec<>(Codec.int32(), text -> Integer.valueOf(ascii(text)), String::valueOf);
      case "int64" ->
          new TextCodec<>(Codec.int64(), text -> Long.valueOf(ascii(text)), String::valueOf);
      case "float64" -> new TextCodec<>(Codec.float64(), TextCodec::float64, String::valueOf);
      case "bool" -> new TextCodec<>(Codec.bool(), TextCodec::bool, String::valueOf);
      case "string" -> Codec.string();
      case "uuid" -> new TextCodec<>(Codec.uuid(), TextCodec::uuid, String::valueOf);
      case "instant" -> new TextCodec<>(Codec.instant(), TextCodec::instant, String::valueOf);
      case "date" -> new TextCodec<>(Codec.date(), LocalDate::parse, String::valueOf);
      case "datetime" -> new TextCodec<>(Codec.dateTime(), LocalDateTime::parse, String::valueOf);
      case "offsetdatetime" ->
          new TextCodec<>(Codec.offsetDateTime(), OffsetDateTime::parse, String::valueOf);
      case "decimal" ->
          new TextCodec<>(
              Codec.decimal(), text -> new BigDecimal(ascii(text)), BigDecimal::toString);
      default -> composed(id, ordered);
    };
  }

  private static Codec<String> composed(String id, boolean ordered) {
    int open = id.indexOf('(');
    if (open < 0 || !id.endsWith(")")) {
      return raw(id, ordered, TextCodec::unhex, TextCodec::hex);
    }
    String inner = id.substring(open + 1, id.length() - 1);
    return switch (id.substring(0, open)) {
      case "tuple" -> tuple(id);
      case "optional" -> optional(of(inner, ordered));
      case "descending" -> Codec.descending(of(inner, true));
      case "enum" -> raw(id, ordered, EnumText::parse, EnumText::print);
      default -> raw(id, ordered, TextCodec::unhex, TextCodec::hex);
    };
  }

  /** The codec of what may be absent: {@code none}, or the text of the value behind a sign. */
  private static Codec<String> optional(Codec<String> values) {
    return new TextCodec<>(
        Codec.optional(values),
        text -> text.equals("none") ? Optional.empty() : Optional.of(behindSign(text)),
        value -> value.map(text -> "=" + text).orElse("none"));
  }

  private static String behindSign(String text) {
    if (!text.startsWith("=")) {
      throw new IllegalArgumentException("it is none, or a value with = in front");
    }
    return text.substring(1);
  }

  /** The codec of a tuple, whose text {@link TupleText} describes. */
  private static Codec<String> tuple(String id) {
    List<Codec<String>> parts = new ArrayList<>();
    for (String part : TupleText.components(id)) {
      parts.add(of(part, true));
    }
    Codec<Tuple> real = Codec.tuple(parts.toArray(new Codec<?>[0]));
    return new TextCodec<>(real, text -> TupleText.parse(text, parts.size()), TupleText::print);
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

  /** The text, which has digits of ASCII only: Java's own parsers take those of all scripts. */
  private static String ascii(String text) {
    if (!text.chars().allMatch(c -> c < 0x80)) {
      throw new NumberFormatException("digits are 0 to 9");
    }
    return text;
  }

  /** The number. Text with digits that it cannot hold is refused: none is lost in silence. */
  private static double float64(String text) {
    if (NOT_FINITE.contains(text)) {
      return Double.parseDouble(text);
    }
    BigDecimal exact = new BigDecimal(ascii(text));
    double number = exact.doubleValue();
    boolean whole = text.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
    if (!holds(number, exact, whole)) {
      throw new IllegalArgumentException("it would be stored as " + number);
    }
    return number == 0 && text.startsWith("-") ? -0.0 : number;
  }

  /** Whether the number is exactly that, or the nearest one to a fraction of so few digits. */
  private static boolean holds(double number, BigDecimal exact, boolean whole) {
    return Double.isFinite(number)
        && (new BigDecimal(number).compareTo(exact) == 0
            || (!whole && number != 0 && exact.stripTrailingZeros().precision() <= FLOAT64_DIGITS));
  }

  /** The UUID; {@code UUID.fromString} takes parts of any length and cuts them. */
  private static UUID uuid(String text) {
    if (!UUID_FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "it has 8, 4, 4, 4 and 12 hexadecimal digits with - between");
    }
    return UUID.fromString(text);
  }

  /** The instant; Java makes of the second 60 the one before. */
  private static Instant instant(String text) {
    TemporalAccessor parsed = DateTimeFormatter.ISO_INSTANT.parse(text);
    if (parsed.query(DateTimeFormatter.parsedLeapSecond())) {
      throw new IllegalArgumentException("leap seconds cannot be stored");
    }
    return Instant.from(parsed);
  }

  private static String utf8(byte[] bytes) {
    return Codec.string().decode(bytes);
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
