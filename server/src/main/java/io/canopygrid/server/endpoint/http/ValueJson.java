package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.codec.TextCodec;
import java.util.Arrays;

/**
 * The keys or values of an index as JSON. Each is its text, as the shell has it, or where JSON has
 * something closer that: numbers, true and false, and all of JSON for a codec of it.
 *
 * @param id of the codec
 * @param texts between texts and bytes
 * @param what the keys or values are called in errors
 */
record ValueJson(String id, Codec<String> texts, String what) {
  /** The greatest number up to which all whole ones are the same in all languages (RFC 7493). */
  private static final long SAFE_INTEGER_MAX = (1L << 53) - 1;

  private static final String DESCENDING = "descending(";

  static ValueJson of(String id, boolean ordered, String what) {
    return new ValueJson(id, TextCodec.of(id, ordered), what);
  }

  /** The codec by whose values the JSON goes: a descending one looks like that within it. */
  private String shownAs() {
    String shown = id;
    while (shown.startsWith(DESCENDING) && shown.endsWith(")")) {
      shown = shown.substring(DESCENDING.length(), shown.length() - 1);
    }
    return shown;
  }

  /** The bytes of a value. */
  byte[] encode(JsonNode value) {
    if (value.isNull()) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
    if (TextCodec.isJson(id)) {
      return encode(Json.text(value));
    }
    boolean isNear =
        switch (shownAs()) {
          case "int32", "int64", "float64", "decimal" -> value.isNumber();
          case "bool" -> value.isBoolean();
          default -> false;
        };
    if (!isNear && !value.isTextual()) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, what + " is " + id + ", and is not written as " + nameOf(value));
    }
    return encode(value.asText());
  }

  private static String nameOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      case BOOLEAN -> "true or false";
      default -> "a number";
    };
  }

  /** The bytes of a text, as it stands in an address. */
  byte[] encode(String text) {
    try {
      return texts.encode(text);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CanopyException(ErrorCode.CODEC_FAILURE, what + ": " + e.getMessage(), e);
    }
  }

  /** The bytes with which all keys begin that a text begins. */
  byte[] prefix(String text) {
    try {
      return texts.prefix(text);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, what + " of " + id + ": " + e.getMessage(), e);
    }
  }

  /** The JSON of some bytes. */
  JsonNode decode(byte[] bytes) {
    try {
      String text = texts.decode(bytes);
      return TextCodec.isJson(id) ? Json.parse(text) : near(text);
    } catch (CanopyException e) {
      throw e;
    } catch (JsonProcessingException | RuntimeException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, what + " has bytes that are no " + id + ": " + e, e);
    }
  }

  private JsonNode near(String text) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (shownAs()) {
      case "int32" -> nodes.numberNode(Integer.parseInt(text));
      case "int64" -> {
        long number = Long.parseLong(text);
        boolean isSafe = number >= -SAFE_INTEGER_MAX && number <= SAFE_INTEGER_MAX;
        yield isSafe ? nodes.numberNode(number) : nodes.textNode(text);
      }
      case "float64" -> {
        double number = Double.parseDouble(text);
        yield Double.isFinite(number) ? nodes.numberNode(number) : nodes.textNode(text);
      }
      case "bool" -> nodes.booleanNode(Boolean.parseBoolean(text));
      default -> nodes.textNode(text);
    };
  }

  /** Whether some bytes are that value: JSON is compared by what it says. */
  boolean isSame(byte[] bytes, JsonNode expected) {
    return TextCodec.isJson(id)
        ? decode(bytes).equals(expected)
        : Arrays.equals(bytes, encode(expected));
  }
}
