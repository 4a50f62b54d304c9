package io.canopygrid.server.endpoint;

import io.canopygrid.Codec;
import io.canopygrid.FunctionProvider;
import io.canopygrid.FunctionTransaction;
import io.canopygrid.Index;
import io.canopygrid.TransactionFunction;
import java.util.Map;

/** Functions of a user, for a server to load. */
public final class OwnFunctions implements FunctionProvider {
  /** For {@link java.util.ServiceLoader}. */
  public OwnFunctions() {}

  @Override
  public Map<String, TransactionFunction> functions() {
    return Map.of(
        "transfer",
        TransactionFunction.of(Codec.int64(), Codec.bool(), OwnFunctions::transfer),
        "fails",
        (tx, arguments) -> {
          throw new IllegalStateException("as it should");
        });
  }

  /** Moves money from key 1 to key 2, as much as is there. */
  private static boolean transfer(FunctionTransaction tx, long cents) {
    Index<Long, Long> accounts = tx.index("accounts", Codec.int64(), Codec.int64());
    Long first = tx.on(accounts).get(1L);
    if (first == null || first < cents) {
      return false;
    }
    tx.on(accounts).put(1L, first - cents);
    tx.on(accounts).merge(2L, cents, Long::sum);
    return true;
  }
}
