package io.canopygrid.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.CommitId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rules of the remote client; whole clients go by them in the simulation. */
final class SentCommitTest {
  private static final CommitId NAME = new CommitId(new UUID(1, 2), 3, 4, 5);

  private final SentCommit movable = new SentCommit(NAME, true);
  private final SentCommit bound = new SentCommit(NAME, false);
  private final SentCommit nameless = new SentCommit(null, false);

  @Test
  void whatMayHaveArrivedIsLookedUp() {
    assertThat(movable.lost(true, ErrorCode.NOT_CONNECTED)).isEqualTo(SentCommit.Next.LOOK_UP);
    assertThat(bound.lost(true, ErrorCode.NOT_CONNECTED)).isEqualTo(SentCommit.Next.LOOK_UP);
    assertThat(bound.unanswered()).isEqualTo(SentCommit.Next.LOOK_UP);
    assertThat(bound.refused(ErrorCode.TIMEOUT, CommitState.UNKNOWN))
        .isEqualTo(SentCommit.Next.LOOK_UP);
    assertThat(bound.toLookUp()).isEqualTo(NAME);
  }

  @Test
  void whatCertainlyHasNotHappenedGoesElsewhereOnlyWhereNoServerKnowsOfIt() {
    assertThat(movable.lost(false, ErrorCode.NOT_CONNECTED)).isEqualTo(SentCommit.Next.ELSEWHERE);
    assertThat(bound.lost(false, ErrorCode.NOT_CONNECTED)).isEqualTo(SentCommit.Next.FAIL);
    assertThat(movable.refused(ErrorCode.NOT_CONNECTED, CommitState.NOT_COMMITTED))
        .isEqualTo(SentCommit.Next.ELSEWHERE);
    assertThat(movable.refused(ErrorCode.WRITE_CONFLICT, CommitState.NOT_COMMITTED))
        .isEqualTo(SentCommit.Next.FAIL);
    assertThat(movable.lost(false, ErrorCode.UNAUTHENTICATED)).isEqualTo(SentCommit.Next.FAIL);
    assertThat(movable.settled()).isEqualTo(bound);
  }

  @Test
  void onlyAnOutcomeThatIsKnownEndsTheSearch() {
    assertThat(movable.found(CommitState.COMMITTED, ErrorCode.NOT_CONNECTED))
        .isEqualTo(SentCommit.Next.TAKE);
    assertThat(movable.found(CommitState.NOT_COMMITTED, ErrorCode.NOT_CONNECTED))
        .isEqualTo(SentCommit.Next.ELSEWHERE);
    assertThat(bound.found(CommitState.NOT_COMMITTED, ErrorCode.NOT_CONNECTED))
        .isEqualTo(SentCommit.Next.FAIL);
    assertThat(movable.found(CommitState.UNKNOWN, ErrorCode.NOT_CONNECTED))
        .isEqualTo(SentCommit.Next.FAIL);
  }

  @Test
  void withoutANameThereIsNothingToLookUp() {
    assertThat(nameless.lost(true, ErrorCode.NOT_CONNECTED)).isEqualTo(SentCommit.Next.FAIL);
    assertThat(nameless.unanswered()).isEqualTo(SentCommit.Next.FAIL);
    assertThatThrownBy(nameless::toLookUp).isInstanceOf(NullPointerException.class);
  }
}
