package io.canopygrid.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rights that change while a connection is open count there within a bounded time. */
final class GrantedAccessTest {
  private static final List<Request.Grant> READER = List.of(new Request.Grant("", "reader"));
  private static final List<Request.Grant> WRITER = List.of(new Request.Grant("", "writer"));

  private final AtomicInteger reads = new AtomicInteger();
  private long millis = 5;
  private @Nullable List<Request.Grant> granted = READER;
  private boolean unreadable;
  private final GrantedAccess access = new GrantedAccess("ada", READER, this::read, () -> millis);

  private @Nullable List<Request.Grant> read() {
    reads.incrementAndGet();
    if (unreadable) {
      throw new CanopyException(ErrorCode.SHARD_UNAVAILABLE, "no owner");
    }
    return granted;
  }

  private void refused(ErrorCode code, Right right) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> access.check(right, "things"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aChangeCountsAfterAWhile() {
    granted = WRITER;
    refused(ErrorCode.FORBIDDEN, Right.WRITE);
    assertThat(reads).hasValue(0);
    millis += GrantedAccess.FRESH_MILLIS;
    access.check(Right.WRITE, "things");
    access.check(Right.WRITE, "things");
    assertThat(reads).hasValue(1);
  }

  @Test
  void rightsThatHaveToBeReadAgainAreNotKnown() {
    assertThat(access.isKnownToAllow(Right.READ, "things")).isTrue();
    assertThat(access.isKnownToAllow(Right.WRITE, "things")).isFalse();
    granted = null;
    millis += GrantedAccess.FRESH_MILLIS;
    assertThat(access.isKnownToAllow(Right.READ, "things")).isFalse();
    assertThat(reads).as("nobody was asked").hasValue(0);
  }

  @Test
  void whoIsRemovedMayDoNothingAfterAWhile() {
    granted = null;
    access.check(Right.READ, "things");
    millis += GrantedAccess.FRESH_MILLIS;
    refused(ErrorCode.FORBIDDEN, Right.READ);
  }

  @Test
  void whatCannotBeReadStaysForAWhile() {
    unreadable = true;
    millis += GrantedAccess.FRESH_MILLIS;
    access.check(Right.READ, "things");
    millis += 60_000;
    refused(ErrorCode.SHARD_UNAVAILABLE, Right.READ);
    unreadable = false;
    access.check(Right.READ, "things");
  }
}
