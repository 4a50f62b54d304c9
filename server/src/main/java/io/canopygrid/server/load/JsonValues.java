package io.canopygrid.server.load;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Values of JSON in the records of a JSON file. */
public final class JsonValues {
  private JsonValues() {}

  /**
   * The field whose text is a value, all of whose characters count. A value in the field of its own
   * is loaded without spaces, and with no more escapes than are needed.
   */
  public static String textField(String value) {
    return RecordSource.Value.textField(value);
  }

  /** Whether a load takes a value exactly as it is written in the field of its own. */
  public static boolean keeps(String json) {
    byte[] line = ("{\"k\":\"\",\"v\":" + json + "}").getBytes(StandardCharsets.UTF_8);
    RecordSource.Value value = new RecordSource.Value("v", false, true);
    try (JsonRecords records = new JsonRecords(new ByteArrayInputStream(line), "k", value)) {
      RecordSource.Text found = records.next();
      return found != null && found.value().equals(json);
    } catch (IOException | WrongRecordException e) {
      return false;
    }
  }
}
