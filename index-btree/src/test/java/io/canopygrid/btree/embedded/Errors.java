package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Reads the parts of errors. */
final class Errors {
  private Errors() {}

  /** The coded error that an action ends in: with its code and its advice in the message. */
  static CanopyException of(ErrorCode code, ThrowingCallable action) {
    Throwable thrown = catchThrowable(action);
    assertThat(thrown).isInstanceOf(CanopyException.class);
    CanopyException e = (CanopyException) thrown;
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    assertThat(e).hasMessageStartingWith(code.id() + " " + code.name() + ": ");
    assertThat(e).hasMessageEndingWith(code.advice());
    return e;
  }
}
