package io.canopygrid.server.endpoint.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.Utf8;
import io.canopygrid.wire.MalformedBytesException;
import java.util.regex.Pattern;

/**
 * JSON as the API reads and writes it. Numbers keep all their digits, no name comes twice in an
 * object, nothing follows the value, and the nesting has an end.
 */
final class Json {
  /** The deepest nesting of a request. */
  static final int NESTING_MAX = 200;

  /** The most characters of a number; a decimal has up to 1,000 digits. */
  private static final int NUMBER_CHARS_MAX = 1_100;

  /** The part of Jackson's messages that says where a text comes from. */
  private static final Pattern SOURCE = Pattern.compile("\\[Source: [^;]*; ");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(NESTING_MAX)
                          .maxNumberLength(NUMBER_CHARS_MAX)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .build();

  private Json() {}

  /**
   * The value of a request's body.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where it is not JSON in UTF-8
   */
  static JsonNode parse(byte[] body) {
    try {
      return parse(Utf8.decode(body));
    } catch (MalformedBytesException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "the body is not UTF-8", e);
    } catch (NumberFormatException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the body has a number that is too large", e);
    } catch (JsonProcessingException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the body is not JSON: " + SOURCE.matcher(e.getOriginalMessage()).replaceAll("["),
          e);
    }
  }

  /** The value of a text. */
  static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** The JSON of a value or a map of values. */
  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "an answer cannot be written", e);
    }
  }

  /** The same as the bytes of a line. */
  static byte[] bytes(Object value) {
    return (text(value) + "\n").getBytes(UTF_8);
  }
}
