package io.canopygrid.stream;

import io.canopygrid.CanopyException;
import io.canopygrid.transaction.OpenReading;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The part of a handle that its publishers need. Thread-safe. */
public interface StreamHost {
  /**
   * Begins a read-only transaction.
   *
   * @throws CanopyException it cannot begin
   */
  OpenReading begin();

  /** Runs work on a thread of the handle; the stage fails where that is closed. */
  <T extends @Nullable Object> CompletionStage<T> submit(Callable<T> work);
}
