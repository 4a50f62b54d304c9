package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of a file, one after the other. Confined to one thread. */
interface RecordSource extends Closeable {
  /**
   * The next record; null: the file ends.
   *
   * @throws WrongRecordException where the record has no key or no value
   * @throws JsonProcessingException where the file is broken, so that nothing after this place can
   *     be read
   * @throws BrokenTextException as before, where bytes are no text
   */
  @Nullable Text next() throws IOException, WrongRecordException;

  /** The line of the last record, counted from 1. */
  int line();

  /**
   * The value of records.
   *
   * @param name the column or field that has it
   * @param isWhole whether the value is the whole record instead, as a JSON object
   * @param isJson whether the text of a JSON value has its quotes
   */
  record Value(String name, boolean isWhole, boolean isJson) {
    /** The value of a column or field. */
    static Value of(String name) {
      return new Value(name, false, false);
    }

    /** The field whose text is the JSON of the value in the field of this name. */
    static String textField(String name) {
      return name + ":text";
    }
  }

  /** A record's key and value as the file has them. */
  record Text(String key, String value) {}
}
