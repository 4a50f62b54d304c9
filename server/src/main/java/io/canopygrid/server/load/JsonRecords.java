package io.canopygrid.server.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The records of a file of JSON objects, with any white space between them. */
final class JsonRecords implements RecordSource {
  private static final JsonMapper JSON = new JsonMapper();

  private final MappingIterator<JsonNode> objects;
  private final String key;
  private final String value;
  private int line = 1;

  /**
   * Reads objects that have these fields, and maybe others.
   *
   * @param value the field with the value; a value that is no text is taken as the file has it
   */
  JsonRecords(InputStream in, String key, String value) throws IOException {
    this.objects = JSON.readerFor(JsonNode.class).readValues(in);
    this.key = key;
    this.value = value;
  }

  @Override
  public @Nullable Text next() throws IOException, WrongRecordException {
    if (!objects.hasNextValue()) {
      return null;
    }
    line = objects.getCurrentLocation().getLineNr();
    JsonNode object = objects.nextValue();
    return new Text(text(object, key), text(object, value));
  }

  private static String text(JsonNode object, String field) throws WrongRecordException {
    JsonNode found = object.get(field);
    if (found == null || found.isNull()) {
      throw new WrongRecordException("it has no '" + field + "'");
    }
    return found.isContainerNode() ? found.toString() : found.asText();
  }

  @Override
  public int line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    objects.close();
  }
}
