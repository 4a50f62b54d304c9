package io.canopygrid.ycsb;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** What YCSB's {@code DB} lacks: a read and an update of one record as a single transaction. */
public interface ReadModifyWrite {
  /**
   * Reads a record and replaces fields of it, atomically.
   *
   * @param fields what to read, all if null
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
