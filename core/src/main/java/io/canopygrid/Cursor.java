package io.canopygrid;

import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The entries of a range in one snapshot, fetched as they are asked for. Used once, by one thread,
 * and closed: best in a try-with-resources statement. A cursor dies with its transaction ({@link
 * ErrorCode#TRANSACTION_CLOSED}).
 *
 * <pre>{@code
 * try (Cursor<Long, Account> c = tx.on(accounts).scan(Range.atLeast(100L)).limit(20)) {
 *   for (Map.Entry<Long, Account> e : c) { … }
 * }
 * }</pre>
 *
 * @param <K> keys
 * @param <V> values
 */
public interface Cursor<K, V> extends Iterable<Map.Entry<K, V>>, AutoCloseable {
  /**
   * Turns the direction: from the greatest key to the least. Called before the first entry.
   *
   * @return this cursor
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} once iteration has begun
   */
  Cursor<K, V> reverse();

  /**
   * Ends after this many entries; the owners do not read further either. Called before the first
   * entry.
   *
   * @param entries at least 0
   * @return this cursor
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} once iteration has begun
   */
  Cursor<K, V> limit(long entries);

  /**
   * The entries, immutable, in the cursor's direction. The entries can be iterated once: a second
   * call, or one of {@link #stream}, {@link #keys}, {@link #values}, goes on where the first one
   * is.
   */
  @Override
  Iterator<Map.Entry<K, V>> iterator();

  /**
   * The position of this cursor: the entry handed out last, or the beginning. The token stays right
   * across splits, moves, failover and restarts of the reader; see {@link ReadView#resume}.
   */
  ResumeToken resumeToken();

  /** Frees what the cursor holds; does nothing when it is closed. */
  @Override
  void close();

  /** The entries as a sequential stream; closing it closes the cursor. */
  default Stream<Map.Entry<K, V>> stream() {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), traits), false)
        .onClose(this::close);
  }

  /** The keys as a sequential stream; closing it closes the cursor. */
  default Stream<K> keys() {
    return stream().map(Map.Entry::getKey);
  }

  /** The values as a sequential stream; closing it closes the cursor. */
  default Stream<V> values() {
    return stream().map(Map.Entry::getValue);
  }
}
