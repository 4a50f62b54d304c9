package io.canopygrid;

import java.util.Map;
import java.util.stream.Stream;

/**
 * A secondary index in a transaction: in the same state as the rows, with the transaction's own
 * writes. The caller closes streams that it opens; they also end with the transaction.
 *
 * @param <A> attributes
 * @param <K> primary keys
 * @param <R> rows
 */
public interface IndexView<A, K, R> {
  /** The entries with attributes of a range, in the order of attributes, then of keys. */
  Stream<IndexEntry<A, K>> scan(Range<A> range);

  /** The keys of the rows with an attribute, in order. */
  Stream<K> keys(A attribute);

  /** The rows with an attribute, in the order of their keys; costs a read for each. */
  Stream<Map.Entry<K, R>> rows(A attribute);

  /** The number of entries with attributes of a range. */
  long count(Range<A> range);
}
