package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WaiterTest {
  private static long in(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void theFirstAnswerCounts() throws InterruptedException {
    Waiter<String> waiter = new Waiter<>();
    waiter.complete("first");
    waiter.complete("second");
    waiter.abandon();
    assertThat(waiter.await(in(0))).isEqualTo("first");
  }

  @Test
  void anAnswerOfAnotherThreadWakesIt() throws InterruptedException {
    Waiter<String> waiter = new Waiter<>();
    Thread other = new Thread(() -> waiter.complete("here"));
    other.start();
    assertThat(waiter.await(in(10_000))).isEqualTo("here");
    other.join();
  }

  @Test
  void pastTheDeadlineThereIsNone() throws InterruptedException {
    assertThat(new Waiter<String>().await(in(1))).isNull();
    Waiter<String> abandoned = new Waiter<>();
    abandoned.abandon();
    assertThat(abandoned.await(in(10_000))).isNull();
  }

  @Test
  void anInterruptEndsTheWait() {
    Waiter<String> waiter = new Waiter<>();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> waiter.await(in(10_000))).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
