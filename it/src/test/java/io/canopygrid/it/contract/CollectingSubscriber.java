package io.canopygrid.it.contract;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;

/** Keeps what it gets, and asks for what it is told to ask for. */
@NullUnmarked // the subscription comes with onSubscribe
final class CollectingSubscriber<T> implements Flow.Subscriber<T> {
  final List<T> received = new CopyOnWriteArrayList<>();

  /** Done at the end, exceptionally after an error. */
  final CompletableFuture<List<T>> end = new CompletableFuture<>();

  private final long atOnce;
  private final Consumer<T> each;
  Flow.Subscription subscription;

  /**
   * @param atOnce what it asks for at the beginning; 0: nothing
   * @param each is given each item
   */
  CollectingSubscriber(long atOnce, Consumer<T> each) {
    this.atOnce = atOnce;
    this.each = each;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (atOnce > 0) {
      given.request(atOnce);
    }
  }

  @Override
  public void onNext(T item) {
    received.add(item);
    each.accept(item);
  }

  @Override
  public void onError(Throwable why) {
    end.completeExceptionally(why);
  }

  @Override
  public void onComplete() {
    end.complete(List.copyOf(received));
  }
}
