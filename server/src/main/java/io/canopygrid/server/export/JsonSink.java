package io.canopygrid.server.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.server.load.JsonValues;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes records as JSON objects with two fields, each on a line of its own. Keys and values are
 * texts, but a value that is JSON stands as it is. Where a load would make other bytes of such a
 * value, since it has spaces or needless escapes, the value is a text in a field that says so.
 */
final class JsonSink implements RecordSink {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonGenerator out;
  private final String key;
  private final String value;
  private final boolean isJson;

  /**
   * Writes into {@code out}, which the caller closes.
   *
   * @param isJson whether values are JSON
   */
  JsonSink(Writer out, String key, String value, boolean isJson) throws IOException {
    this.out = JSON.createGenerator(out);
    this.out.configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);
    this.out.setRootValueSeparator(null);
    this.key = key;
    this.value = value;
    this.isJson = isJson;
  }

  @Override
  public void begin() {
    // Each record names its fields.
  }

  @Override
  public void write(String keyText, String valueText) throws IOException {
    out.writeStartObject();
    out.writeStringField(key, keyText);
    if (!isJson) {
      out.writeStringField(value, valueText);
    } else if (JsonValues.keeps(valueText)) {
      out.writeFieldName(value);
      out.writeRawValue(valueText);
    } else {
      out.writeStringField(JsonValues.textField(value), valueText);
    }
    out.writeEndObject();
    out.writeRaw('\n');
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
