package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Asserts on coded errors. */
public final class Coded {
  private Coded() {}

  /** The call throws this code, and the detail contains these parts. */
  public static void assertCoded(ErrorCode code, ThrowingCallable call, String... parts) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
        .satisfies(e -> List.of(parts).forEach(part -> assertThat(e.detail()).contains(part)));
  }

  /** A null that the compiler's checker of nulls does not see. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  public static <T> T nothing() {
    @Nullable T nothing = null;
    return nothing;
  }
}
