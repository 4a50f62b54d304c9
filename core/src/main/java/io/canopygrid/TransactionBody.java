package io.canopygrid;

/**
 * The body of an update transaction. A body can run more than once, so it must be safe to run
 * again: its only lasting effects go through the transaction.
 *
 * @param <X> what it throws; thrown out of {@link Canopy#run} as it is, after a roll-back
 */
@FunctionalInterface
public interface TransactionBody<X extends Exception> {
  /** Reads and writes through the transaction, which ends when this returns or throws. */
  void run(Transaction tx) throws X;
}
