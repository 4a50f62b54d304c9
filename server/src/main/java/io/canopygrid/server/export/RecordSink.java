package io.canopygrid.server.export;

import java.io.Flushable;
import java.io.IOException;

/** Takes the records of an export, one after the other. Confined to one thread. */
interface RecordSink extends Flushable {
  /** Writes what stands before the first record. */
  void begin() throws IOException;

  /** Writes a record of these texts. */
  void write(String key, String value) throws IOException;
}
