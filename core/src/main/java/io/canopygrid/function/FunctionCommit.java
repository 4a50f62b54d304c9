package io.canopygrid.function;

import io.canopygrid.engine.EngineTransaction;

/**
 * The transaction of a function that another node or client asked for. The commit keeps the result,
 * so that a caller that asks again gets the same one. Confined to one thread at a time.
 */
public interface FunctionCommit extends EngineTransaction {
  /** Keeps a result with the commit. */
  void keep(byte[] result);

  /** The result of the commit, which may be that of an earlier run of the same call. */
  byte[] kept();
}
