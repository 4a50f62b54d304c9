package io.canopygrid.ycsb;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB's interface to a database, on an embedded node. Every operation is one transaction, which
 * Canopy runs again after a conflict. A YCSB table is an index from the key as a string to the
 * record as one array of bytes, so a scan is a range scan in key order, and an update of a field
 * reads and replaces the record. YCSB's insert overwrites a record that is there, without reading
 * it.
 *
 * <p>An operation that fails returns a status with the error's code as its name, such as {@code
 * CNPY-2004}, and never throws: YCSB's client ends the JVM with exit code 0 for an exception.
 *
 * <p>Instances that YCSB's client makes by name share one node in a JVM; {@link SharedNode} lists
 * its properties. Each thread has an instance of its own, as YCSB asks.
 */
public final class CanopyDB extends DB implements ReadModifyWrite {
  private static final Logger LOG = LoggerFactory.getLogger(CanopyDB.class);

  /**
   * The most failed operations of a JVM that are logged; a cluster that is gone fails thousands.
   */
  private static final int LOGGED_FAILURES_MAX = 10;

  private static final AtomicInteger LOGGED_FAILURES = new AtomicInteger();
  private static final ThreadLocal<@Nullable CanopyDB> OF_THREAD = new ThreadLocal<>();

  /**
   * The property that says which copies are read: a {@link ReadFrom} in small letters; primary if
   * absent.
   */
  public static final String READ_FROM = "canopy.readFrom";

  private final @Nullable Canopy given;
  private final Map<String, Index<String, byte[]>> tables = new HashMap<>();
  private @Nullable Canopy canopy;
  private TransactionOptions options = TransactionOptions.labelled("ycsb");

  /** An instance on the node that this JVM shares, for YCSB's client. */
  public CanopyDB() {
    this.given = null;
  }

  /** An instance on a handle, which the caller closes. */
  public CanopyDB(Canopy canopy) {
    this.given = canopy;
  }

  /** The instance that this thread has initialised last and not cleaned up, null if none. */
  static @Nullable CanopyDB ofThisThread() {
    return OF_THREAD.get();
  }

  /**
   * Makes this instance ready; called by the thread that uses it.
   *
   * @throws DBException if the shared node cannot be started or a property is wrong
   */
  @Override
  public void init() throws DBException {
    options = options.withReadFrom(readFrom(getProperties().getProperty(READ_FROM, "primary")));
    canopy = given != null ? given : SharedNode.acquire(getProperties(), READ_FROM);
    OF_THREAD.set(this);
  }

  private static ReadFrom readFrom(String value) throws DBException {
    for (ReadFrom from : ReadFrom.values()) {
      if (from.name().toLowerCase(Locale.ROOT).equals(value)) {
        return from;
      }
    }
    throw new DBException(READ_FROM + " must be primary or nearest: " + value);
  }

  /** Closes the shared node if this was its last user. */
  @Override
  public void cleanup() {
    OF_THREAD.remove();
    tables.clear();
    if (canopy != null && given == null) {
      SharedNode.release();
    }
    canopy = null;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return guarded(() -> {
      Index<String, byte[]> index = table(table);
      return canopy().read(options, tx -> found(tx.on(index).get(key), fields, result));
    });
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return guarded(() -> {
      for (byte[] record : range(table, startkey, recordcount)) {
        HashMap<String, ByteIterator> row = new HashMap<>();
        RecordEncoding.decode(record, fields, row);
        result.add(row);
      }
      return Status.OK;
    });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return readModifyWrite(table, key, Set.of(), new HashMap<>(), values);
  }

  @Override
  public Status readModifyWrite(
      String table,
      String key,
      @Nullable Set<String> fields,
      Map<String, ByteIterator> result,
      Map<String, ByteIterator> values) {
    return guarded(() -> {
      Map<String, byte[]> changes = RecordEncoding.drain(values);
      Index<String, byte[]> index = table(table);
      return canopy()
          .call(options, tx -> found(replace(tx.on(index), key, changes), fields, result));
    });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return guarded(() -> {
      byte[] record = RecordEncoding.encode(RecordEncoding.drain(values));
      Index<String, byte[]> index = table(table);
      canopy().run(options, tx -> tx.on(index).put(key, record));
      return Status.OK;
    });
  }

  @Override
  public Status delete(String table, String key) {
    return guarded(() -> {
      Index<String, byte[]> index = table(table);
      canopy().run(options, tx -> tx.on(index).remove(key));
      return Status.OK;
    });
  }

  private List<byte[]> range(String table, String start, int count) {
    Index<String, byte[]> index = table(table);
    return canopy()
        .read(
            options,
            tx -> {
              try (Cursor<String, byte[]> rows =
                  tx.on(index).scan(Range.atLeast(start)).limit(count)) {
                return rows.values().toList();
              }
            });
  }

  private static byte @Nullable [] replace(
      MutableView<String, byte[]> view, String key, Map<String, byte[]> changes) {
    byte[] before = view.get(key);
    if (before != null) {
      view.put(key, RecordEncoding.update(before, changes));
    }
    return before;
  }

  private static Status found(
      byte @Nullable [] record, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    if (record == null) {
      return Status.NOT_FOUND;
    }
    RecordEncoding.decode(record, fields, result);
    return Status.OK;
  }

  private Status guarded(Supplier<Status> operation) {
    try {
      return operation.get();
    } catch (CanopyException e) {
      logFailure(e);
      return new Status(e.code().id(), e.code().advice());
    } catch (RuntimeException e) {
      logFailure(e);
      return Status.ERROR;
    }
  }

  private static void logFailure(RuntimeException e) {
    int before = LOGGED_FAILURES.getAndUpdate(n -> Math.min(n + 1, LOGGED_FAILURES_MAX + 1));
    if (before < LOGGED_FAILURES_MAX) {
      LOG.warn("A YCSB operation failed", e);
    } else if (before == LOGGED_FAILURES_MAX) {
      LOG.warn("More YCSB operations failed; they are counted, but no longer logged");
    }
  }

  private Index<String, byte[]> table(String name) {
    return tables.computeIfAbsent(
        name, table -> canopy().index(table, Codec.string(), Codec.bytes()));
  }

  private Canopy canopy() {
    return Objects.requireNonNull(canopy, "init() comes before the first operation");
  }
}
