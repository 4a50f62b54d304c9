package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of errors, and what an exception makes of it. */
final class ErrorCodeTest {
  @ParameterizedTest
  @CsvSource({
    "2001, WRITE_CONFLICT, true, NOT_COMMITTED",
    "2002, LOCK_TIMEOUT, true, NOT_COMMITTED",
    "2003, COMMIT_UNKNOWN, false, UNKNOWN",
    "2004, RETRIES_EXHAUSTED, false, NOT_COMMITTED",
    "2005, SNAPSHOT_TOO_OLD, true, NOT_COMMITTED",
    "2006, TRANSACTION_CLOSED, false, NOT_COMMITTED",
    "2007, TIMEOUT, true, NOT_COMMITTED",
    "2008, INTERRUPTED, false, NOT_COMMITTED",
    "2009, ROLLBACK_ONLY, false, NOT_COMMITTED",
    "2010, COMMITS_LOST, false, NOT_COMMITTED",
    "2011, CHANGES_LOST, false, NOT_COMMITTED",
    "3001, KEY_EXISTS, false, NOT_COMMITTED",
    "3002, CODEC_MISMATCH, false, NOT_COMMITTED",
    "3003, KEY_TOO_LARGE, false, NOT_COMMITTED",
    "3004, VALUE_TOO_LARGE, false, NOT_COMMITTED",
    "3005, NULL_NOT_ALLOWED, false, NOT_COMMITTED",
    "3006, UNKNOWN_INDEX, false, NOT_COMMITTED",
    "3007, INVALID_INDEX_NAME, false, NOT_COMMITTED",
    "3020, UNIQUE_VIOLATION, false, NOT_COMMITTED",
    "3021, PART_OF_TABLE, false, NOT_COMMITTED",
    "3022, CHECK_FAILED, false, NOT_COMMITTED",
    "3023, INDEX_EXISTS, false, NOT_COMMITTED",
    "3024, CLONE_TOO_DEEP, false, NOT_COMMITTED",
    "4001, SHARD_UNAVAILABLE, true, NOT_COMMITTED",
    "4002, NOT_CONNECTED, true, NOT_COMMITTED",
    "4003, UNAUTHENTICATED, false, NOT_COMMITTED",
    "4004, FORBIDDEN, false, NOT_COMMITTED",
    "4005, PORT_IN_USE, false, NOT_COMMITTED",
    "4006, CANOPY_CLOSED, false, NOT_COMMITTED",
    "4010, GRID_CHANGED, false, NOT_COMMITTED",
    "4016, NOT_FINALIZED, false, NOT_COMMITTED",
    "5001, CONFIG_INVALID, false, NOT_COMMITTED",
    "5002, DISK_UNUSABLE, false, NOT_COMMITTED",
    "5003, DISK_FULL, true, NOT_COMMITTED",
    "5004, DISKS_LOST, false, NOT_COMMITTED",
    "5006, BACKUP_DAMAGED, false, NOT_COMMITTED",
    "5007, BACKUP_FORMAT, false, NOT_COMMITTED",
    "5008, BACKUP_STORE_FAILED, false, NOT_COMMITTED"
  })
  void isAsPublished(int number, ErrorCode code, boolean retryable, CommitState state) {
    CanopyException error = new CanopyException(code, "something happened");
    assertThat(code.number()).isEqualTo(number);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.retryable()).isEqualTo(retryable);
    assertThat(error.commitState()).isEqualTo(state);
    assertThat(error.transactionId()).isNull();
    assertThat(error)
        .hasMessageStartingWith("CNPY-" + number + " " + code.name() + ": something happened. ")
        .hasMessageEndingWith(code.advice());
  }

  @Test
  void eachHasItsOwnNumber() {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::number)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void givesAdviceInASentence(ErrorCode code) {
    assertThat(code.advice()).matches("[A-Z].{10,120}\\.");
    assertThat(code.number()).isBetween(2000, 9999);
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByEachOfItsNames(ErrorCode code) {
    assertThat(ErrorCode.find(code.id())).contains(code);
    assertThat(ErrorCode.find(" " + code.id().toLowerCase(java.util.Locale.ROOT))).contains(code);
    assertThat(ErrorCode.find(Integer.toString(code.number()))).contains(code);
    assertThat(ErrorCode.find(code.name())).contains(code);
    assertThat(code).hasToString(code.id() + " " + code.name());
  }

  @Test
  void othersAreNotFound() {
    assertThat(ErrorCode.find("CNPY-1999")).isEmpty();
    assertThat(ErrorCode.find("")).isEmpty();
  }

  @Test
  void whatMayBeCommittedIsNotRetried() {
    Throwable cause = new IllegalStateException("lost");
    CanopyException error =
        new CanopyException(ErrorCode.TIMEOUT, "no answer", CommitState.UNKNOWN, "n1:7", cause);
    assertThat(error.retryable()).isFalse();
    assertThat(error.commitState()).isEqualTo(CommitState.UNKNOWN);
    assertThat(error.transactionId()).isEqualTo("n1:7");
    assertThat(error.detail()).isEqualTo("no answer");
    assertThat(error).hasCause(cause);
  }
}
