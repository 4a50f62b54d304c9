package io.canopygrid.runtime;

import io.canopygrid.Cursor;
import io.canopygrid.Isolation;
import io.canopygrid.ReadBody;
import io.canopygrid.TransactionOptions;
import io.canopygrid.stream.CursorPublisher;
import io.canopygrid.stream.StreamHost;
import io.canopygrid.transaction.CallerTransactions;
import io.canopygrid.transaction.OpenReading;
import io.canopygrid.transaction.Watching;
import io.canopygrid.typed.Handle;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The publishers of a handle. Thread-safe. */
final class Publishers {
  private final Handle owner;
  private final CallerTransactions callers;
  private final AsyncCalls async;
  private final Runnable checkOpen;
  private final Function<TransactionOptions, Watching> watched;

  /**
   * @param checkOpen throws where the handle is closed
   * @param watched tells the handle's listener that a transaction begins
   */
  Publishers(
      Handle owner,
      CallerTransactions callers,
      AsyncCalls async,
      Runnable checkOpen,
      Function<TransactionOptions, Watching> watched) {
    this.owner = owner;
    this.callers = callers;
    this.async = async;
    this.checkOpen = checkOpen;
    this.watched = watched;
  }

  <K, V> Flow.Publisher<Map.Entry<K, V>> publisher(
      TransactionOptions options, ReadBody<Cursor<K, V>, RuntimeException> scan) {
    if (options.isolation() == Isolation.SERIALIZABLE) {
      CallChecks.checkPresent(options);
    }
    return new CursorPublisher<>(new Host(options), scan);
  }

  private final class Host implements StreamHost {
    private final TransactionOptions options;

    Host(TransactionOptions options) {
      this.options = options;
    }

    @Override
    public OpenReading begin() {
      checkOpen.run();
      return callers.beginReading(owner, options, watched.apply(options));
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> submit(Callable<T> work) {
      return async.submit(work);
    }
  }
}
