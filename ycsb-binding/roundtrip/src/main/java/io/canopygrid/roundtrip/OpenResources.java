package io.canopygrid.roundtrip;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Resources to be closed, the last first. Confined to a thread. */
final class OpenResources implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T opened) {
    open.push(opened);
    return opened;
  }

  /** Closes all resources, also after one of them fails to close. */
  @Override
  public void close() {
    @Nullable IllegalStateException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new IllegalStateException("not closed");
        }
        failure.addSuppressed(e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
