package io.canopygrid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Objects as JSON. Properties and map entries are sorted, so that equal objects have equal bytes as
 * far as the class allows; a property that the class does not know is refused, since a value
 * written back without it would lose it. Numbers are exact: where the class does not say which type
 * a fraction has, it becomes a {@link java.math.BigDecimal}, and a number that the type in the
 * class cannot hold is refused.
 */
class JsonEncoding<T> implements Encoding<T> {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .addModule(ExactFloats.module())
          .build();

  private final String id;
  private final ObjectWriter writer;
  private final ObjectReader reader;

  JsonEncoding(Class<T> type) {
    Arguments.notNull("the class of a JSON codec", type);
    this.id = "json(" + type.getName() + ")";
    this.writer = MAPPER.writerFor(type);
    this.reader = MAPPER.readerFor(type);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public byte[] encode(T value) {
    Arguments.notNull("the value to encode", value);
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot encode: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    @Nullable T value;
    try {
      value = reader.readValue(bytes);
    } catch (IOException e) {
      String why = e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.toString();
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + why, e);
    }
    if (value == null) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: the JSON is null");
    }
    return value;
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
