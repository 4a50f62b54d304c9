package io.canopygrid;

/**
 * A transaction with a name, which {@link Canopy#execute} runs whole at the node that has its data:
 * {@link Canopy#register} makes it known there. Thread-safe.
 *
 * <p>Like the body of {@link Canopy#run} it is run again after a conflict, so it must be safe to
 * repeat, and must not begin another transaction.
 */
@FunctionalInterface
public interface TransactionFunction {
  /**
   * Runs as one update transaction, which commits when it returns.
   *
   * @param tx the transaction
   * @param arguments those of the call, at most {@link Limits#ARGUMENT_BYTES_MAX}; not to be
   *     changed
   * @return the result of the call, at most {@link Limits#RESULT_BYTES_MAX}, not to be changed any
   *     more
   * @throws Exception rolls the transaction back: a {@link CanopyException} reaches the caller as
   *     it is, anything else as {@link ErrorCode#FUNCTION_FAILED} with what it says
   */
  byte[] apply(FunctionTransaction tx, byte[] arguments) throws Exception;

  /** The same with values for arguments and result. */
  @FunctionalInterface
  interface Typed<A, R> {
    /** See {@link TransactionFunction#apply}. */
    R apply(FunctionTransaction tx, A argument) throws Exception;
  }

  /** A function of values, which these codecs make bytes and back. */
  static <A, R> TransactionFunction of(
      Codec<A> argument, Codec<R> result, Typed<? super A, ? extends R> function) {
    Arguments.notNull("the codec of the argument", argument);
    Arguments.notNull("the codec of the result", result);
    Arguments.notNull("the function", function);
    return (tx, arguments) -> result.encode(function.apply(tx, argument.decode(arguments)));
  }
}
