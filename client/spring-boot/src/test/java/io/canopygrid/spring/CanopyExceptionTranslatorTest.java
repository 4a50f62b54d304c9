package io.canopygrid.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/** Canopy's errors in Spring's words. */
final class CanopyExceptionTranslatorTest {
  @ParameterizedTest
  @EnumSource
  void whatMayBeRepeatedIsTransientAndNothingElseIs(ErrorCode code) {
    CanopyException error = new CanopyException(code, "detail");
    DataAccessException translated = CanopyExceptionTranslator.translated(error);

    assertThat(translated).hasMessageStartingWith(code.id()).hasCause(error);
    boolean repeats = error.retryable() || code == ErrorCode.RETRIES_EXHAUSTED;
    assertThat(translated instanceof TransientDataAccessException)
        .as("%s: %s", code, translated.getClass())
        .isEqualTo(repeats);
  }

  @Test
  void whatMayHaveTakenEffectIsNotTransient() {
    CanopyException error =
        new CanopyException(ErrorCode.TIMEOUT, "at the commit", CommitState.UNKNOWN, "t1", null);

    assertThat(CanopyExceptionTranslator.translated(error))
        .isInstanceOf(NonTransientDataAccessException.class);
  }

  @Test
  void conflictsAreConcurrencyFailures() {
    for (ErrorCode code :
        new ErrorCode[] {
          ErrorCode.WRITE_CONFLICT, ErrorCode.LOCK_TIMEOUT, ErrorCode.RETRIES_EXHAUSTED
        }) {
      assertThat(CanopyExceptionTranslator.translated(new CanopyException(code, "detail")))
          .isInstanceOf(ConcurrencyFailureException.class);
    }
  }
}
