package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.ycsb.CanopyDB;
import io.canopygrid.ycsb.TransactionalWorkload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Refuses a database whose scans are wrong or out of order, that does not show a committed insert
 * or delete at once, or that loses updates. A benchmark of such a database would mean nothing.
 */
final class DatabaseChecks {
  private static final int FIELDS = 10;
  private static final int SCANS = 30;
  private static final int SCAN_LENGTH_MAX = 100;
  private static final int INSERTS = 20;
  private static final int WRITERS = 3;
  private static final int UPDATES_EACH = 5;

  private final Canopy canopy;
  private final CanopyDB db;
  private final TransactionalWorkload workload;
  private final long records;
  private final TreeSet<String> keys = new TreeSet<>();

  /**
   * Expects the records as they were loaded.
   *
   * @param db an instance that this thread has initialised
   * @param workload the workload with which the records were loaded, with deterministic values
   */
  DatabaseChecks(Canopy canopy, CanopyDB db, TransactionalWorkload workload, long records) {
    this.canopy = canopy;
    this.db = db;
    this.workload = workload;
    this.records = records;
    for (long n = 0; n < records; n++) {
      keys.add(workload.keyName(n));
    }
  }

  /** Makes all checks, and leaves the records as they were. */
  void run(long seed) throws BenchFailure {
    requireComplete();
    Random random = new Random(seed);
    for (int i = 0; i < SCANS; i++) {
      String start = workload.keyName(random.nextLong(records));
      requireScan(start, 1 + random.nextInt(SCAN_LENGTH_MAX));
    }
    requireScan(keys.last(), SCAN_LENGTH_MAX);
    requireScan("zzz", SCAN_LENGTH_MAX);
    for (int i = 0; i < INSERTS; i++) {
      requireVisible(workload.keyName(records + i));
    }
    requireComplete();
  }

  /**
   * Checks that a snapshot of the whole table has exactly the expected keys, in ascending order.
   */
  void requireComplete() throws BenchFailure {
    Index<String, byte[]> table = canopy.index(UserTable.NAME, Codec.string(), Codec.bytes());
    List<String> found =
        canopy.read(tx -> {
          try (Cursor<String, byte[]> all = tx.on(table).scan()) {
            return all.keys().toList();
          }
        });
    if (!found.equals(new ArrayList<>(keys))) {
      throw new BenchFailure(
          "a scan of the whole table found "
              + found.size()
              + " keys, expected "
              + keys.size()
              + firstDifference(found));
    }
  }

  private String firstDifference(List<String> found) {
    int i = 0;
    for (String expected : keys) {
      if (i == found.size() || !found.get(i).equals(expected)) {
        return "; number "
            + i
            + " should be "
            + expected
            + (i == found.size() ? "" : " and is " + found.get(i));
      }
      i++;
    }
    return "; after the last expected one comes " + found.get(i);
  }

  /**
   * Checks that an insert and a delete show in the next scan, and that no concurrent update in
   * between is lost.
   */
  private void requireVisible(String key) throws BenchFailure {
    keys.add(key);
    requireOk("insert", db.insert(UserTable.NAME, key, record(key)));
    requireScan(key, 3);
    requireNoLostUpdate(key);
    keys.remove(key);
    requireOk("delete", db.delete(UserTable.NAME, key));
    requireScan(key, 3);
  }

  /**
   * Checks a scan. The fields of a loaded row begin with its key and a colon, so the keys that a
   * scan found are known.
   */
  @SuppressWarnings("JdkObsolete") // YCSB's signature
  private void requireScan(String start, int count) throws BenchFailure {
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    requireOk("scan", db.scan(UserTable.NAME, start, count, null, rows));
    List<String> found = new ArrayList<>();
    for (Map<String, ByteIterator> row : rows) {
      ByteIterator field = row.get("field9");
      if (row.size() != FIELDS || field == null) {
        throw new BenchFailure("a scan returned a row with fields " + row.keySet());
      }
      String text = field.toString();
      found.add(text.substring(0, Math.max(0, text.indexOf(':'))));
    }
    List<String> expected = keys.tailSet(start).stream().limit(count).toList();
    if (!found.equals(expected)) {
      throw new BenchFailure(
          "a scan of " + count + " from " + start + " found " + found + ", expected " + expected);
    }
  }

  /** Threads update different fields of one record; each must read what it has written last. */
  private void requireNoLostUpdate(String key) throws BenchFailure {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        String field = "field" + w;
        writers.add(
            threads.submit(() -> {
              update(key, field);
              return null;
            }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new BenchFailure("concurrent read-modify-writes: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void update(String key, String field) throws BenchFailure, DBException {
    CanopyDB own = new CanopyDB(canopy);
    own.setProperties(db.getProperties());
    own.init();
    try {
      for (int i = 0; i < UPDATES_EACH; i++) {
        String written = "value" + i;
        requireOk(
            "read-modify-write",
            own.readModifyWrite(
                UserTable.NAME, key, null, new HashMap<>(), Map.of(field, value(written))));
        Map<String, ByteIterator> row = new HashMap<>();
        requireOk("read", own.read(UserTable.NAME, key, null, row));
        String found = String.valueOf(row.get(field));
        if (!found.equals(written)) {
          throw new BenchFailure(
              "an update of " + key + "." + field + " was lost: " + found + " for " + written);
        }
      }
    } finally {
      own.cleanup();
    }
  }

  private static Map<String, ByteIterator> record(String key) {
    Map<String, ByteIterator> record = new HashMap<>();
    for (int f = 0; f < FIELDS; f++) {
      record.put("field" + f, value(key + ":" + "x".repeat(70)));
    }
    return record;
  }

  private static ByteIterator value(String text) {
    return new ByteArrayByteIterator(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void requireOk(String operation, Status status) throws BenchFailure {
    if (!status.isOk()) {
      throw new BenchFailure(operation + " ended in " + status);
    }
  }
}
