package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A node leaves once, however often it is told to, and may refuse. */
final class LeaveOnRequestTest {
  @Test
  void theServerEndsWhenItsNodeCanBeDoneWithoutThoughNobodyAsksAgain() throws Exception {
    CompletableFuture<Void> handedOver = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    List<Boolean> prepared = new ArrayList<>();
    LeaveOnRequest leaving =
        new LeaveOnRequest(
            abandons -> {
              prepared.add(abandons);
              handedOver.join();
            },
            ended::countDown);

    assertThat(leaving.leave(false)).isFalse();
    assertThat(leaving.leave(false)).isFalse();
    assertThat(ended.getCount()).isEqualTo(1);
    handedOver.complete(null);

    ended.await();
    await().until(() -> leaving.leave(false));
    assertThat(prepared).containsExactly(false);
  }

  @Test
  void aNodeThatRefusesCanBeAskedAgain() {
    CountDownLatch ended = new CountDownLatch(1);
    LeaveOnRequest leaving =
        new LeaveOnRequest(
            abandons -> {
              if (!abandons) {
                throw new CanopyException(ErrorCode.LEAVE_REFUSED, "for the test");
              }
            },
            ended::countDown);

    // A client that is not told within the second asks again.
    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> leaving.leave(false))
                .isInstanceOf(CanopyException.class)
                .hasMessageContaining("CNPY-4013"));
    assertThat(ended.getCount()).isEqualTo(1);
    await().until(() -> leaving.leave(true));
    assertThat(ended.getCount()).isZero();
  }
}
