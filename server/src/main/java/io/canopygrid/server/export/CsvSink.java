package io.canopygrid.server.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes records as comma-separated values (RFC 4180) of two columns. All texts are in quotes, so
 * that none can be mistaken; each line ends with a line feed.
 */
final class CsvSink implements RecordSink {
  private static final CsvFactory CSV = new CsvFactory();

  private final CsvGenerator out;
  private final String key;
  private final String value;

  /** Writes into {@code out}, which the caller closes. */
  CsvSink(Writer out, char separator, String key, String value) throws IOException {
    this.out = CSV.createGenerator(out);
    this.key = key;
    this.value = value;
    this.out.configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);
    this.out.enable(CsvGenerator.Feature.ALWAYS_QUOTE_STRINGS);
    this.out.setSchema(
        CsvSchema.builder()
            .setColumnSeparator(separator)
            .setLineSeparator('\n')
            .addColumn(key)
            .addColumn(value)
            .build());
  }

  @Override
  public void begin() throws IOException {
    write(key, value);
  }

  @Override
  public void write(String keyText, String valueText) throws IOException {
    out.writeStartArray();
    out.writeString(keyText);
    out.writeString(valueText);
    out.writeEndArray();
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
