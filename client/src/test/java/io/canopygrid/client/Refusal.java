package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The coded errors that calls end in. */
final class Refusal {
  private Refusal() {}

  /** The error of a call, which must have this code. */
  static CanopyException of(ErrorCode code, ThrowingCallable call) {
    CanopyException[] thrown = new CanopyException[1];
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> {
          assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
          thrown[0] = e;
        });
    return thrown[0];
  }
}
