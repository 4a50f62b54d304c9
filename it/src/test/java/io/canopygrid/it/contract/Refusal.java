package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expects coded errors, and notes that they were provoked. */
final class Refusal {
  private Refusal() {}

  /** The coded error that an action ends in: with its code and its advice in the message. */
  static CanopyException expect(ContractGrid grid, ErrorCode code, ThrowingCallable action) {
    Throwable thrown = catchThrowable(action);
    assertThat(thrown).as("wanted: %s", code).isInstanceOf(CanopyException.class);
    CanopyException e = (CanopyException) thrown;
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    assertThat(e).hasMessageStartingWith(code.id() + " " + code.name() + ": " + e.detail());
    assertThat(e).hasMessageEndingWith(code.advice());
    grid.provoked(code);
    return e;
  }
}
