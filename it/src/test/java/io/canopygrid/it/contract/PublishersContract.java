package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Isolation;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Cursors as publishers, beside the rules of Reactive Streams. */
@NullUnmarked // answers are compared as they are
abstract class PublishersContract extends Theme {
  private static final TransactionOptions OPTIONS = TransactionOptions.labelled("publisher");

  PublishersContract(ContractGrid grid) {
    super(grid);
  }

  private static CollectingSubscriber<Map.Entry<String, String>> asking(long entries) {
    return asking(entries, entry -> {});
  }

  private static CollectingSubscriber<Map.Entry<String, String>> asking(
      long entries, Consumer<Map.Entry<String, String>> each) {
    return new CollectingSubscriber<>(entries, each);
  }

  private static List<Map.Entry<String, String>> ended(
      CollectingSubscriber<Map.Entry<String, String>> subscriber) {
    return subscriber.end.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private Flow.Publisher<Map.Entry<String, String>> everything() {
    return db.publisher(index, Range.all());
  }

  @Test
  void giveEachSubscriberARangeInOrder() {
    letters();
    CollectingSubscriber<Map.Entry<String, String>> some = asking(Long.MAX_VALUE);
    CollectingSubscriber<Map.Entry<String, String>> backwards = asking(Long.MAX_VALUE);
    db.publisher(index, Range.closed("c", "f")).subscribe(some);
    db.publisher(OPTIONS, tx -> tx.on(index).scan().reverse().limit(2)).subscribe(backwards);
    assertThat(ended(some)).extracting(Map.Entry::getKey).containsExactly("c", "d", "e", "f");
    assertThat(ended(backwards)).extracting(Map.Entry::getKey).containsExactly("z", "y");
  }

  @Test
  void giveNoMoreThanIsAskedFor() {
    letters();
    CollectingSubscriber<Map.Entry<String, String>> subscriber = asking(0);
    everything().subscribe(subscriber);
    subscriber.subscription.request(3);
    await().until(() -> subscriber.received.size() == 3);
    subscriber.subscription.request(2);
    await().until(() -> subscriber.received.size() == 5);
    assertThat(subscriber.end).isNotDone();
    subscriber.subscription.request(21);
    assertThat(ended(subscriber)).hasSize(26);
  }

  @Test
  void showOneSnapshotThatBeginsWithTheFirstRequest() {
    letters();
    CollectingSubscriber<Map.Entry<String, String>> subscriber = asking(0);
    everything().subscribe(subscriber);
    write(v -> v.put("a", "before"));
    subscriber.subscription.request(1);
    await().until(() -> subscriber.received.size() == 1);
    write(v -> v.put("z", "after"));
    subscriber.subscription.request(Long.MAX_VALUE);
    assertThat(ended(subscriber)).contains(Map.entry("a", "before"), Map.entry("z", "Z"));
  }

  @Test
  void letASubscriberUseTheHandle() {
    letters();
    List<String> seen = new CopyOnWriteArrayList<>();
    CollectingSubscriber<Map.Entry<String, String>> subscriber =
        asking(
            Long.MAX_VALUE,
            entry -> {
              db.run(tx -> tx.on(index).put(entry.getKey(), "seen"));
              seen.add(get(entry.getKey()));
            });
    everything().subscribe(subscriber);
    assertThat(ended(subscriber)).hasSize(26).allMatch(e -> !e.getValue().equals("seen"));
    assertThat(seen).hasSize(26).containsOnly("seen");
  }

  @Test
  void endSoonAfterTheyAreCancelled() {
    letters();
    CollectingSubscriber<Map.Entry<String, String>> subscriber = asking(0);
    everything().subscribe(subscriber);
    subscriber.subscription.request(2);
    await().until(() -> subscriber.received.size() == 2);
    subscriber.subscription.cancel();
    subscriber.subscription.request(10);
    subscriber.subscription.cancel();
    assertThat(get("a")).isEqualTo("A");
    assertThat(subscriber.received).hasSize(2);
    assertThat(subscriber.end).isNotDone();
  }

  @Test
  void takeASubscriberThatThrowsForOneThatHasCancelled() {
    letters();
    CollectingSubscriber<Map.Entry<String, String>> subscriber =
        asking(
            Long.MAX_VALUE,
            entry -> {
              throw new IllegalStateException("a subscriber's own, which is to be printed");
            });
    everything().subscribe(subscriber);
    await().dontCatchUncaughtExceptions().until(() -> subscriber.received.size() == 1);
    assertThat(get("a")).isEqualTo("A");
    assertThat(subscriber.received).hasSize(1);
    assertThat(subscriber.end).isNotDone();
  }

  @Test
  void tellWhyTheyFail() {
    letters();
    IllegalStateException mine = new IllegalStateException("mine");
    CollectingSubscriber<Map.Entry<String, String>> thrown = asking(1);
    db.<String, String>publisher(
            OPTIONS,
            tx -> {
              throw mine;
            })
        .subscribe(thrown);
    assertThatThrownBy(() -> ended(thrown)).isInstanceOf(CompletionException.class).hasCause(mine);
  }

  @Test
  void giveUpTheirSnapshotWhenTheirTimeIsOver() {
    write(v -> {
      for (int i = 0; i < 2_000; i++) { // some pages
        v.put("k" + i, "v");
      }
    });
    Duration time = Duration.ofSeconds(3); // enough for the first page while the tree is split
    CollectingSubscriber<Map.Entry<String, String>> late = asking(1);
    db.publisher(OPTIONS.withTimeout(time), tx -> tx.on(index).scan()).subscribe(late);
    await().until(() -> late.received.size() == 1);
    await().pollDelay(time.plusMillis(100)).until(() -> true);
    late.subscription.request(Long.MAX_VALUE);
    assertThatThrownBy(() -> ended(late))
        .cause()
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT));
  }

  @Test
  void readNamedSnapshots() {
    letters();
    String snapshot = name + "-publisher";
    db.snapshot(snapshot);
    write(v -> v.put("a", "new"));
    CollectingSubscriber<Map.Entry<String, String>> then = asking(1);
    db.publisher(OPTIONS.at(snapshot), tx -> tx.on(index).scan().limit(1)).subscribe(then);
    assertThat(ended(then)).containsExactly(Map.entry("a", "A"));
    db.dropSnapshot(snapshot);
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () ->
            db.publisher(
                OPTIONS.at(snapshot).withIsolation(Isolation.SERIALIZABLE),
                tx -> tx.on(index).scan()));
  }

  @Test
  void refuseNullAtOnce() {
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.publisher(null, tx -> tx.on(index).scan()));
    refused(
        ErrorCode.NULL_NOT_ALLOWED,
        () -> db.<String, String>publisher(TransactionOptions.DEFAULTS, null));
    assertThatThrownBy(() -> everything().subscribe(null)).isInstanceOf(NullPointerException.class);
  }

  @TestFactory
  Stream<DynamicTest> keepTheRulesOfReactiveStreams() {
    write(v -> {
      for (int i = 0; i < PublisherRules.ENTRIES_MAX; i++) {
        v.put("k" + i, "v");
      }
    });
    return PublisherRules.of(
        entries -> db.publisher(OPTIONS, tx -> tx.on(index).scan().limit(entries)));
  }
}
