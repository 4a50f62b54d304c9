package io.canopygrid.ycsb;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** A read and an update of one record as a single transaction, which YCSB's {@code DB} lacks. */
public interface ReadModifyWrite {
  /**
   * Reads a record and replaces fields of it, atomically.
   *
   * @param fields the fields to read; null: all
   * @param result gets the fields as they were before
   * @param values the new values of some fields
   * @return {@link Status#NOT_FOUND}, and nothing changed, if there is no such record
   */
  Status readModifyWrite(
      String table,
      String key,
      @Nullable Set<String> fields,
      Map<String, ByteIterator> result,
      Map<String, ByteIterator> values);
}
