package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * An update transaction that gives a result, otherwise like {@link TransactionBody}.
 *
 * @param <T> the result
 * @param <X> what it throws; thrown out of {@link Canopy#call} as it is, after a roll-back
 */
@FunctionalInterface
public interface TransactionCall<T extends @Nullable Object, X extends Exception> {
  /** Reads and writes through the transaction, which ends when this returns or throws. */
  T call(Transaction tx) throws X;
}
