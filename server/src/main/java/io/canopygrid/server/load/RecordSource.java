package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of a file, one after the other. Used by one thread. */
interface RecordSource extends Closeable {
  /**
   * The next one, null at the end.
   *
   * @throws WrongRecordException where it has no key or no value
   * @throws JsonProcessingException where the file is broken, so that nothing after this place can
   *     be read
   */
  @Nullable Text next() throws IOException, WrongRecordException;

  /** In which line the last one was, from 1 on. */
  int line();

  /** A key and a value as they are written. */
  record Text(String key, String value) {}
}
