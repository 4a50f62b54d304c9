package io.canopygrid.gmu.storage.rocksdb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Does something on a thread of its own, which nobody interrupts. An interrupt closes the files
 * that Java's channels have open, and a caller of a transaction may be interrupted at any time.
 */
final class OwnThread {
  private OwnThread() {}

  /** Returns when it is done, or throws what it has thrown. */
  static void run(String name, Runnable task) {
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(task, each -> new Thread(each, name).start());
    try {
      done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
