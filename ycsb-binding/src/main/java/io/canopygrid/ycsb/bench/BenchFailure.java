package io.canopygrid.ycsb.bench;

import org.jspecify.annotations.Nullable;

/** A benchmark cannot go on, or found wrong data; the message is for the user. */
public final class BenchFailure extends Exception {
  private static final long serialVersionUID = 1L;

  BenchFailure(String message) {
    super(message);
  }

  BenchFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
