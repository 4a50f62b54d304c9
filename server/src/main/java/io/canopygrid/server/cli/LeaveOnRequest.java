package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.Leaving;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets a server's node leave for good when a client asks for it. Thread-safe. */
final class LeaveOnRequest implements Leaving {
  /** A client that waits longer asks again. */
  private static final long ANSWER_SECONDS = 1;

  private final Consumer<Boolean> prepare;
  private final Runnable end;

  /** The preparation that is under way; null: none is. Guarded by this object. */
  private @Nullable CompletableFuture<Void> preparing;

  /**
   * Nothing is under way yet.
   *
   * @param prepare returns when the node can be done without; told whether to wait for nothing
   * @param end ends the server
   */
  LeaveOnRequest(Consumer<Boolean> prepare, Runnable end) {
    this.prepare = prepare;
    this.end = end;
  }

  @Override
  public boolean leave(boolean abandons) {
    CompletableFuture<Void> begun = begun(abandons);
    try {
      begun.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      forget(begun);
      if (e.getCause() instanceof CanopyException coded) {
        throw coded;
      }
      throw new CanopyException(ErrorCode.LEAVE_REFUSED, String.valueOf(e.getCause()), e);
    }
    return true;
  }

  private synchronized CompletableFuture<Void> begun(boolean abandons) {
    CompletableFuture<Void> begun = preparing;
    if (begun == null || abandons) {
      begun =
          CompletableFuture.runAsync(
              () -> {
                prepare.accept(abandons);
                end.run(); // also where nobody asks any more: the others have let it go
              },
              task -> new Thread(task, "canopy-leave").start());
      preparing = begun;
    }
    return begun;
  }

  @SuppressWarnings("ReferenceEquality") // another attempt may have begun
  private synchronized void forget(CompletableFuture<Void> failed) {
    if (preparing == failed) {
      preparing = null;
    }
  }
}
