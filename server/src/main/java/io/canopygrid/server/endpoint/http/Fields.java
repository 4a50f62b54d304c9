package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object in a request, of which each field is known. All methods throw {@link
 * ErrorCode#INVALID_ARGUMENT} where a field is not what it must be.
 *
 * @param what names the object in errors
 */
record Fields(String what, JsonNode object) {
  /** The object, which may have these fields. */
  static Fields of(String what, JsonNode value, String... names) {
    if (!value.isObject()) {
      throw wrong(what + " must be an object");
    }
    List<String> known = Arrays.asList(names);
    value
        .fieldNames()
        .forEachRemaining(name -> {
          if (!known.contains(name)) {
            throw wrong(what + " has '" + name + "'; it may have " + String.join(", ", known));
          }
        });
    return new Fields(what, value);
  }

  /** Whether it has a field. */
  boolean has(String name) {
    return object.has(name);
  }

  /** A field that must be there. */
  JsonNode any(String name) {
    JsonNode value = object.get(name);
    if (value == null) {
      throw wrong(what + " must have '" + name + "'");
    }
    return value;
  }

  String text(String name) {
    JsonNode value = any(name);
    if (!value.isTextual()) {
      throw wrong("'" + name + "' of " + what + " must be a text");
    }
    return value.textValue();
  }

  @Nullable String textOrNull(String name) {
    return has(name) ? text(name) : null;
  }

  boolean flag(String name) {
    JsonNode value = any(name);
    if (!value.isBoolean()) {
      throw wrong("'" + name + "' of " + what + " must be true or false");
    }
    return value.booleanValue();
  }

  /** A whole number, or the usual one where the field is not there. */
  long number(String name, long usual, long least, long most) {
    if (!has(name)) {
      return usual;
    }
    JsonNode value = any(name);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw wrong("'" + name + "' of " + what + " must be from " + least + " to " + most);
    }
    return value.longValue();
  }

  /** The time that a field or parameter says. */
  static Instant time(String name, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "'" + name + "' must be a time as 2026-11-28T12:00:00Z", e);
    }
  }

  static CanopyException wrong(String why) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, why);
  }
}
