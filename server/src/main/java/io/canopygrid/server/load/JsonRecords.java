package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file of JSON objects, with any white space between them; objects in an array
 * count as those outside of it. Numbers are taken as they are written.
 */
final class JsonRecords implements RecordSource {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final String NULL = "null"; // a text is in quotes here

  private final JsonParser in;
  private final String key;
  private final Value value;
  private int line = 1;

  /** Reads objects that have the fields of the key and the value, and maybe others. */
  JsonRecords(InputStream in, String key, Value value) throws IOException {
    this.in = JSON.createParser(new FileText(in));
    this.key = key;
    this.value = value;
  }

  @Override
  public @Nullable Text next() throws IOException, WrongRecordException {
    JsonToken token = in.nextToken();
    while ((token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) && !isNested()) {
      token = in.nextToken();
    }
    if (token == null) {
      return null;
    }
    line = in.currentTokenLocation().getLineNr();
    if (token != JsonToken.START_OBJECT) {
      in.skipChildren();
      throw new WrongRecordException("it is no object");
    }
    return record();
  }

  /** Whether the array that begins stands in another one. */
  private boolean isNested() {
    return in.currentToken() == JsonToken.START_ARRAY
        && !in.getParsingContext().getParent().inRoot();
  }

  /** Reads the object whose brace was the last token, to its end. */
  private Text record() throws IOException, WrongRecordException {
    StringWriter whole = new StringWriter();
    String foundKey = null;
    String foundValue = null;
    try (JsonGenerator copy = JSON.createGenerator(whole)) {
      copy.writeStartObject();
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String field = in.currentName();
        in.nextToken();
        boolean isValue = !value.isWhole() && field.equals(value.name());
        StringWriter json = new StringWriter();
        try (JsonGenerator one = JSON.createGenerator(json)) {
          String text = copied(one);
          one.flush();
          boolean isNull = NULL.contentEquals(json.getBuffer());
          if (field.equals(key) && !isNull) {
            foundKey = text == null ? json.toString() : text;
          }
          if (isValue && !isNull) {
            foundValue = text == null || value.isJson() ? json.toString() : text;
          }
          if (isText(field) && text != null) {
            foundValue = text;
          }
        }
        if (value.isWhole()) {
          copy.writeFieldName(field);
          copy.writeRawValue(json.toString());
        }
      }
      copy.writeEndObject();
    }
    if (value.isWhole()) {
      foundValue = whole.toString();
    }
    return new Text(found(foundKey, key), found(foundValue, value.name()));
  }

  /** Whether the field's text is the JSON of the value. */
  private boolean isText(String field) {
    return value.isJson() && !value.isWhole() && field.equals(Value.textField(value.name()));
  }

  private static String found(@Nullable String text, String field) throws WrongRecordException {
    if (text == null) {
      throw new WrongRecordException("it has no '" + field + "'");
    }
    return text;
  }

  /**
   * Copies the value that begins with the last token, and reads it to its end.
   *
   * @return a text without its quotes; null: the value is no text
   */
  private @Nullable String copied(JsonGenerator out) throws IOException {
    String text = in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : null;
    int depth = 0;
    while (true) {
      JsonToken token = in.currentToken();
      if (token.isNumeric()) {
        out.writeNumber(in.getText());
      } else {
        out.copyCurrentEvent(in);
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth == 0) {
        return text;
      }
      in.nextToken();
    }
  }

  @Override
  public int line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
