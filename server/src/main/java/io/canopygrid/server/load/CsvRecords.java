package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file of comma-separated values (RFC 4180), whose first line names the columns.
 */
final class CsvRecords implements RecordSource {
  private static final CsvMapper CSV =
      CsvMapper.builder()
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .build();

  private static final JsonFactory JSON = new JsonFactory();

  private final MappingIterator<String[]> rows;
  private final int columns;
  private final int keyColumn;
  private final List<String> names;
  private final RecordSource.Value value;
  private final int valueColumn;
  private int line = 1;

  /**
   * Reads the names of the columns.
   *
   * @param key the name of the column that has the keys
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: a column is missing, or there twice
   */
  CsvRecords(InputStream in, char separator, String key, RecordSource.Value value)
      throws IOException {
    CsvSchema schema = CsvSchema.emptySchema().withColumnSeparator(separator);
    rows = CSV.readerFor(String[].class).with(schema).readValues(new FileText(in));
    names = rows.hasNextValue() ? Arrays.asList(rows.nextValue()) : List.of();
    columns = names.size();
    Set<String> once = new HashSet<>();
    for (String name : names) {
      if (!once.add(name)) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "line 1 names the column '" + name + "' twice");
      }
    }
    keyColumn = column(names, key);
    valueColumn = value.isWhole() ? keyColumn : column(names, value.name());
    this.value = value;
  }

  private static int column(List<String> names, String name) {
    int column = names.indexOf(name);
    if (column < 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "line 1 names no column '" + name + "', but " + String.join(", ", names));
    }
    return column;
  }

  @Override
  public @Nullable Text next() throws IOException, WrongRecordException {
    if (!rows.hasNextValue()) {
      return null;
    }
    line = rows.getCurrentLocation().getLineNr();
    String[] row = rows.nextValue();
    if (row.length != columns) {
      throw new WrongRecordException(
          "it has " + row.length + " columns where line 1 names " + columns);
    }
    return new Text(row[keyColumn], value.isWhole() ? object(row) : row[valueColumn]);
  }

  /** The row as a JSON object of texts. */
  private String object(String[] row) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator object = JSON.createGenerator(text)) {
      object.writeStartObject();
      for (int i = 0; i < columns; i++) {
        object.writeStringField(names.get(i), row[i]);
      }
      object.writeEndObject();
    }
    return text.toString();
  }

  @Override
  public int line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
