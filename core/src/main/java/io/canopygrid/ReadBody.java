package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * The body of a read-only transaction.
 *
 * @param <T> the result
 * @param <X> what it throws; thrown out of {@link Canopy#read} as it is
 */
@FunctionalInterface
public interface ReadBody<T extends @Nullable Object, X extends Exception> {
  /** Reads through the transaction, which ends when this returns or throws. */
  T read(ReadTransaction tx) throws X;
}
