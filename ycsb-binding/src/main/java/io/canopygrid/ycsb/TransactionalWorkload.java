package io.canopygrid.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload, except that a read-modify-write is one transaction and not a read followed
 * by an update that others may come between. Thread-safe after {@code init}, as YCSB asks.
 */
public class TransactionalWorkload extends CoreWorkload {
  /** For YCSB, which makes an instance by name. */
  public TransactionalWorkload() {}

  /**
   * Reads and updates a record in one transaction if the database can: {@code db} itself, or the
   * {@link CanopyDB} that this thread has initialised, which YCSB's client hides in a wrapper.
   */
  @Override
  public void doTransactionReadModifyWrite(DB db) {
    ReadModifyWrite atomic = db instanceof ReadModifyWrite own ? own : CanopyDB.ofThisThread();
    super.doTransactionReadModifyWrite(atomic == null ? db : new Deferred(atomic));
  }

  /** The name of the n-th key, counted from 0. */
  public final String keyName(long n) {
    return buildKeyName(n);
  }

  /** The number of records that exist, those that this workload has inserted included. */
  public final long records() {
    return transactioninsertkeysequence.lastValue() + 1;
  }

  /** Keeps the core workload's read until its update, and then does both at once. */
  private static final class Deferred extends DB {
    private final ReadModifyWrite target;
    private @Nullable Set<String> fields;
    private Map<String, ByteIterator> result = new HashMap<>();

    Deferred(ReadModifyWrite target) {
      this.target = target;
    }

    @Override
    public Status read(
        String table, String key, @Nullable Set<String> wanted, Map<String, ByteIterator> row) {
      fields = wanted;
      result = row;
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      Status status = target.readModifyWrite(table, key, fields, result, values);
      Measurements.getMeasurements().reportStatus("READ-MODIFY-WRITE", status);
      return status;
    }

    @Override
    @SuppressWarnings("NonApiType") // YCSB's signature
    public Status scan(
        String table,
        String startkey,
        int recordcount,
        @Nullable Set<String> wanted,
        Vector<HashMap<String, ByteIterator>> rows) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }
  }
}
