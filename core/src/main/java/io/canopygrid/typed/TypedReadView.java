package io.canopygrid.typed;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.map.IndexMaps;
import io.canopygrid.names.SnapshotNames;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** An index in a transaction: typed entries over {@link EngineView}. */
public class TypedReadView<K, V> implements ReadView<K, V> {
  final OpenTransaction transaction;
  final EntryCodec<K, V> entries;
  final EngineView engine;

  /** The index in the transaction. */
  public TypedReadView(OpenTransaction transaction, TypedIndex<K, V> index) {
    this(transaction, index, transaction.engine().on(index.opened()));
  }

  TypedReadView(OpenTransaction transaction, TypedIndex<K, V> index, EngineView engine) {
    this.transaction = transaction;
    this.entries = index.entries();
    this.engine = engine;
  }

  @Override
  public final @Nullable V get(K key) {
    transaction.checkOpen();
    byte[] value = engine.get(entries.encodeKey(key));
    return value == null ? null : entries.decodeValue(value);
  }

  @Override
  public final boolean containsKey(K key) {
    transaction.checkOpen();
    return engine.get(entries.encodeKey(key)) != null;
  }

  @Override
  public final Map.@Nullable Entry<K, V> firstEntry() {
    return nearest(KeyRange.ALL, false);
  }

  @Override
  public final Map.@Nullable Entry<K, V> lastEntry() {
    return nearest(KeyRange.ALL, true);
  }

  @Override
  public final Map.@Nullable Entry<K, V> floorEntry(K key) {
    return nearest(KeyRange.of(new byte[0], KeyRange.successor(entries.encodeKey(key))), true);
  }

  @Override
  public final Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return nearest(KeyRange.of(new byte[0], entries.encodeKey(key)), true);
  }

  @Override
  public final Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return nearest(KeyRange.of(entries.encodeKey(key), null), false);
  }

  @Override
  public final Map.@Nullable Entry<K, V> higherEntry(K key) {
    return nearest(KeyRange.of(KeyRange.successor(entries.encodeKey(key)), null), false);
  }

  @Override
  public final Cursor<K, V> scan(Range<K> range) {
    transaction.checkOpen();
    return cursor(entries.encodeRange(range), false, ResumeToken.NO_LIMIT);
  }

  @Override
  public final Cursor<K, V> resume(ResumeToken token) {
    transaction.checkOpen();
    transaction.notNull("the resume token", token);
    if (!token.index().equals(entries.index())) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN,
          "the token is of index '" + token.index() + "', not of '" + entries.index() + "'",
          CommitState.NOT_COMMITTED,
          transaction.id(),
          null);
    }
    checkGrid(token);
    if (!token.snapshot().isEmpty() && !token.snapshot().equals(transaction.engine().snapshot())) {
      throw transaction.error(
          ErrorCode.INVALID_TOKEN,
          "the token is of "
              + SnapshotNames.words(token.snapshot())
              + ", which this transaction does not read: begin it with"
              + " TransactionOptions.resuming");
    }
    return cursor(token.rest(), token.reverse(), token.remaining());
  }

  /** Checks that a token is of this transaction's grid, where keys and clock mean something. */
  private void checkGrid(ResumeToken token) {
    try {
      token.seen().checkOf(transaction.engine().grid());
    } catch (CanopyException e) {
      throw transaction.error(e.code(), e.detail());
    }
  }

  @Override
  public final long count(Range<K> range) {
    transaction.checkOpen();
    return engine.count(entries.encodeRange(range));
  }

  @Override
  public NavigableMap<K, V> asNavigableMap() {
    transaction.checkOpen();
    return IndexMaps.unmodifiable(this, entries.keys(), entries.values());
  }

  private Cursor<K, V> cursor(KeyRange range, boolean reverse, long limit) {
    return new TypedCursor<>(transaction, entries, engine, range, reverse, limit);
  }

  private Map.@Nullable Entry<K, V> nearest(KeyRange range, boolean reverse) {
    transaction.checkOpen();
    EngineScan scan = engine.scan(range, reverse, 1);
    return scan.advance() ? entries.decode(scan.key(), scan.value()) : null;
  }
}
