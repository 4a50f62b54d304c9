package io.canopygrid.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that is told of lost commits goes on without them, and keeps all else. */
final class SessionTest {
  private static final GridId GRID = GridId.random();

  /** Below it are the numbers from before the power cut. */
  private static final long FOUNDED = 1_000;

  private static final VectorClock OLD = VectorClock.ZERO.with(0, 7).with(1, 9);
  private static final VectorClock NEW = VectorClock.ZERO.with(1, 1_001);

  private final Session session = new Session();

  @BeforeEach
  void enter() {
    session.enter(GRID);
    session.saw(GRID, OLD);
  }

  private Begin begin(CausalToken after) {
    return session.begin(TransactionOptions.DEFAULTS.withAfter(after), Mode.UPDATE, 0);
  }

  private void refuse(Begin how) {
    Map<String, String> facts = Map.of(Session.LOST_UP_TO, Long.toString(FOUNDED));
    fail(how, ErrorCode.COMMITS_LOST, facts);
  }

  private void fail(Begin how, ErrorCode code, Map<String, String> facts) {
    session.failed(
        how.grid(),
        how.after(),
        new CanopyException(code, "lost", CommitState.NOT_COMMITTED, null, null, facts));
  }

  @Test
  void itForgetsWhatMayBeLostOnceItIsTold() {
    Begin first = begin(CausalToken.NONE);
    Begin second = begin(CausalToken.NONE);
    assertThat(first.after()).isEqualTo(OLD);
    refuse(first);
    assertThat(session.clock()).isEqualTo(VectorClock.ZERO);
    session.saw(GRID, NEW);
    refuse(second);
    assertThat(session.clock()).as("of a thread that began at the same time").isEqualTo(NEW);
  }

  @Test
  void whatEndsLaterDoesNotBringItBack() {
    refuse(begin(CausalToken.NONE));
    session.saw(GRID, OLD.with(0, 8).with(2, FOUNDED).with(3, FOUNDED + 1));
    assertThat(session.clock()).isEqualTo(VectorClock.ZERO.with(3, FOUNDED + 1));
    session.saw(GRID, OLD.with(0, 8).with(1, 1_001));
    assertThat(session.clock()).isEqualTo(NEW.with(3, FOUNDED + 1));
  }

  @Test
  void aTokenOfTheCallersLeavesItAsItIs() {
    refuse(begin(CausalToken.of(GRID, OLD.with(0, 8))));
    session.saw(GRID, OLD.with(0, 8)); // said by the other one on the same connection
    assertThat(session.clock()).isEqualTo(OLD);
    refuse(begin(CausalToken.of(GRID, OLD)));
    assertThat(session.clock()).as("told of its own clock").isEqualTo(VectorClock.ZERO);
  }

  @Test
  void whatOneOfTheNewGridHidesIsToldFirst() {
    session.isLost(OLD);
    session.saw(GRID, NEW);
    Begin next = begin(CausalToken.NONE);
    assertThat(next.after()).isEqualTo(OLD);
    refuse(next);
    session.saw(GRID, NEW);
    assertThat(session.clock()).isEqualTo(NEW);
  }

  @Test
  void otherErrorsAndOtherGridsChangeNothing() {
    Begin how = begin(CausalToken.NONE);
    fail(how, ErrorCode.WRITE_CONFLICT, Map.of());
    assertThat(session.clock()).isEqualTo(OLD);
    session.enter(GridId.random());
    session.saw(NEW);
    refuse(how);
    assertThat(session.clock()).isEqualTo(NEW);
  }

  @Test
  void withoutABoundItForgetsAll() {
    session.saw(GRID, NEW);
    fail(begin(CausalToken.NONE), ErrorCode.COMMITS_LOST, Map.of(Session.LOST_UP_TO, "many"));
    assertThat(session.clock()).isEqualTo(VectorClock.ZERO);
    session.saw(GRID, NEW);
    assertThat(session.clock()).isEqualTo(NEW);
  }
}
