package io.canopygrid.spring;

import io.canopygrid.Canopy;
import io.canopygrid.Index;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Changes a key from another thread, in a transaction of its own that commits. */
public final class Rival {
  private Rival() {}

  /** Adds to the value of a key that is there. */
  public static void add(Canopy canopy, Index<Long, Long> index, long key, long value) {
    CompletableFuture.runAsync(
            () -> canopy.run(tx -> tx.on(index).compute(key, (k, old) -> add(old, value))))
        .join();
  }

  private static long add(@Nullable Long old, long value) {
    return old == null ? value : old + value;
  }
}
