package io.canopygrid.server.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.canopygrid.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The bytes of a JSON text that a person or a file gives. */
final class JsonText {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonText() {}

  /**
   * The bytes of the text, which are kept as they are written.
   *
   * @throws IllegalArgumentException where the text is not one value of JSON, or is null, which no
   *     program could read
   */
  static byte[] bytes(String text) {
    try (JsonParser in = JSON.createParser(text)) {
      JsonToken first = in.nextToken();
      if (first == null || first == JsonToken.VALUE_NULL) {
        throw new IllegalArgumentException("there is no value");
      }
      in.skipChildren();
      if (in.nextToken() != null) {
        throw new IllegalArgumentException("something follows the value");
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Codec.string().encode(text);
  }
}
