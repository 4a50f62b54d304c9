package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.btree.access.RangeScan;
import io.canopygrid.btree.access.TreeView;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.spi.EntryCodec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An index in a transaction: typed entries over {@link TreeView}. */
class EmbeddedReadView<K, V> implements ReadView<K, V> {
  final OpenTransaction transaction;
  final EntryCodec<K, V> entries;
  final TreeView tree;

  EmbeddedReadView(OpenTransaction transaction, EmbeddedIndex<K, V> index) {
    this.transaction = transaction;
    this.entries = index.entries();
    this.tree = transaction.tree().on(index.ref());
  }

  @Override
  public final @Nullable V get(K key) {
    transaction.checkOpen();
    byte[] value = tree.get(entries.encodeKey(key));
    return value == null ? null : entries.decodeValue(value);
  }

  @Override
  public final boolean containsKey(K key) {
    transaction.checkOpen();
    return tree.get(entries.encodeKey(key)) != null;
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
    return new EmbeddedCursor<>(this, entries.encodeRange(range), false, ResumeToken.NO_LIMIT);
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
    return new EmbeddedCursor<>(this, token.rest(), token.reverse(), token.remaining());
  }

  @Override
  public final long count(Range<K> range) {
    transaction.checkOpen();
    RangeScan scan = tree.scan(entries.encodeRange(range), false, Long.MAX_VALUE, false);
    long count = 0;
    while (scan.advance()) {
      count++;
    }
    return count;
  }

  final Map.Entry<K, V> entryOf(RangeScan scan) {
    return Map.entry(entries.decodeKey(scan.key()), entries.decodeValue(scan.value()));
  }

  private Map.@Nullable Entry<K, V> nearest(KeyRange range, boolean reverse) {
    transaction.checkOpen();
    RangeScan scan = tree.scan(range, reverse, 1, true);
    return scan.advance() ? entryOf(scan) : null;
  }
}
