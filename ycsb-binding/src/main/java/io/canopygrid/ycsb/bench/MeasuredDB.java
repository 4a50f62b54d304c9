package io.canopygrid.ycsb.bench;

import io.canopygrid.ycsb.CanopyDB;
import io.canopygrid.ycsb.ReadModifyWrite;
import io.canopygrid.ycsb.bench.BenchResult.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * Measures each operation as YCSB's own wrapper does, but into measurements that belong to one
 * phase: YCSB's own measurements are a single object of the JVM that cannot be cleared. A
 * read-modify-write is one operation.
 */
final class MeasuredDB extends DB implements ReadModifyWrite {
  private final CanopyDB db;
  private final Measurements measurements;

  MeasuredDB(CanopyDB db, Measurements measurements) {
    this.db = db;
    this.measurements = measurements;
  }

  @Override
  public void init() throws DBException {
    db.setProperties(getProperties());
    db.init();
  }

  @Override
  public void cleanup() {
    db.cleanup();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return measured(Kind.READ, () -> db.read(table, key, fields, result));
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measured(Kind.SCAN, () -> db.scan(table, startkey, recordcount, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return measured(Kind.UPDATE, () -> db.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return measured(Kind.INSERT, () -> db.insert(table, key, values));
  }

  @Override
  public Status readModifyWrite(
      String table,
      String key,
      @Nullable Set<String> fields,
      Map<String, ByteIterator> result,
      Map<String, ByteIterator> values) {
    return measured(
        Kind.READ_MODIFY_WRITE, () -> db.readModifyWrite(table, key, fields, result, values));
  }

  /**
   * Deletes without measuring, since no workload deletes; only the inserts of a phase are deleted.
   */
  @Override
  public Status delete(String table, String key) {
    return db.delete(table, key);
  }

  private Status measured(Kind kind, Supplier<Status> operation) {
    long start = System.nanoTime();
    Status status = operation.get();
    int micros = (int) ((System.nanoTime() - start) / 1000);
    measurements.measure(status.isOk() ? kind.ycsbName() : kind.ycsbName() + "-FAILED", micros);
    measurements.reportStatus(kind.ycsbName(), status);
    return status;
  }
}
