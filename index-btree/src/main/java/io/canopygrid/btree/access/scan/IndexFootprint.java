package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Seen;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * One index in one transaction: the snapshot, and the reads and staged writes of the index.
 * Confined to the transaction's thread.
 */
public class IndexFootprint {
  private static final int ANY_SCHEMA = -1;

  private final TransactionContext context;
  private final Snapshot snapshot;
  private final IndexRef index;

  /** Its own only once there is one: most transactions remember no reads. */
  private ReadSet reads = ReadSet.NONE;

  /** Its own only once there is one: most transactions write nothing. */
  private WriteSet writes = WriteSet.NONE;

  /** The newest secondary index that the writer of a table's rows knows; {@link #ANY_SCHEMA}. */
  private int schema = ANY_SCHEMA;

  /** A footprint of nothing yet. */
  protected IndexFootprint(TransactionContext context, Snapshot snapshot, IndexRef index) {
    this.context = context;
    this.snapshot = snapshot;
    this.index = index;
  }

  /** The transaction. */
  public final TransactionContext context() {
    return context;
  }

  /** The transaction's snapshot. */
  public final Snapshot snapshot() {
    return snapshot;
  }

  /** The index. */
  public final IndexRef index() {
    return index;
  }

  /** The reads. */
  public final ReadSet reads() {
    return reads;
  }

  /** The staged writes. */
  public final WriteSet writes() {
    return writes;
  }

  /** An error of the layers below, as a coded one. */
  protected RuntimeException failure(RuntimeException e) {
    return context.failure(e);
  }

  /** A key was read by itself. */
  protected final void add(byte[] key, Snapshot.PointRead read) {
    ownReads().add(key, read);
  }

  /** A scan has begun in a subtree; its mark grows with it. */
  final void add(RangeMark mark) {
    ownReads().add(mark);
  }

  @SuppressWarnings("ReferenceEquality") // the one that stays empty
  private ReadSet ownReads() {
    if (reads == ReadSet.NONE) {
      reads = new ReadSet();
    }
    return reads;
  }

  /** Stages a new value of a key. */
  public final void put(byte[] key, byte[] value) {
    ownWrites().put(key, value);
  }

  /** Stages the removal of a key. */
  public final void remove(byte[] key) {
    ownWrites().remove(key);
  }

  @SuppressWarnings("ReferenceEquality") // the one that stays empty
  private WriteSet ownWrites() {
    if (writes == WriteSet.NONE) {
      writes = new WriteSet();
    }
    return writes;
  }

  /**
   * From now on its writes are those of a table's rows, by a writer who knows the table's secondary
   * indexes up to the one of a number: they commit only where no later one has to be known.
   */
  public final void writesRowsUnder(int number) {
    schema = schema == ANY_SCHEMA ? number : Math.min(schema, number);
  }

  /** Whether these are rows that are written under this number. */
  public final boolean isOfRowsUnder(int number) {
    return schema == number && !writes.isEmpty();
  }

  /** Whether the transaction read this very key by itself, or writes it. */
  public final boolean touches(byte[] key) {
    return writes.get(key) != null || reads.get(key) != null;
  }

  /** Adds the reads, each with its place. */
  public final void addReads(List<KeyRead> keys, List<RangeRead> scanned) {
    reads.addTo(keys, scanned);
  }

  /**
   * Adds the writes, each where the key was read, or where the crown says, and for rows one read of
   * a schema key in each subtree.
   */
  public final void addWrites(
      Router router, long deadlineNanos, List<Write> all, List<KeyRead> schemas)
      throws TimeoutException {
    Set<Long> kcls = schema == ANY_SCHEMA ? Set.of() : new HashSet<>();
    for (Map.Entry<byte[], byte[]> write : writes.all()) {
      byte[] key = write.getKey();
      Snapshot.PointRead read = reads.get(key);
      CompositeKey place = read != null ? read.key() : place(router, key, deadlineNanos);
      all.add(new Write(place, WriteSet.valueOf(write.getValue()), null));
      if (schema != ANY_SCHEMA && kcls.add(place.kcl())) {
        schemas.add(new KeyRead(EntryKeys.schema(place.kcl(), schema), Seen.ABSENT));
      }
    }
  }

  private CompositeKey place(Router router, byte[] key, long deadlineNanos)
      throws TimeoutException {
    long kcl = router.subtreeOf(index.number(), key, deadlineNanos);
    if (kcl == SubtreeHeader.NONE) {
      throw Failures.dropped(index, context.id());
    }
    return EntryKeys.of(kcl, key);
  }
}
