package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answers that a node which leaves waits for. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class LeaveHandshakeTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);
  private static final long EVER = TimeUnit.HOURS.toMillis(1);

  private final LeaveHandshake handshake = new LeaveHandshake();

  @Test
  void allThatConsentEndTheWait() {
    Set<NodeId> missing =
        handshake.await(EVER, () -> false, () -> Set.of(ONE, TWO), handshake::releasedBy, () -> {});

    assertThat(missing).isEmpty();
  }

  @Test
  void aMemberThatNeverConsentsIsMissingOnceTheTimeIsUp() {
    Set<NodeId> missing =
        handshake.await(
            50,
            () -> false,
            () -> Set.of(ONE, TWO),
            member -> {
              if (member.equals(ONE)) {
                handshake.releasedBy(member);
              }
            },
            () -> {});

    assertThat(missing).containsExactly(TWO);
  }

  @Test
  void aMemberThatIsGoneIsWaitedForNoLonger() {
    Set<NodeId> present = new HashSet<>(Set.of(ONE, TWO));
    List<NodeId> asked = new ArrayList<>();

    Set<NodeId> missing =
        handshake.await(
            EVER,
            () -> false,
            () -> Set.copyOf(present),
            member -> {
              asked.add(member);
              handshake.releasedBy(ONE);
              present.remove(TWO);
            },
            () -> {});

    assertThat(missing).isEmpty();
    assertThat(asked).contains(ONE, TWO);
  }

  @Test
  void aMemberToWhichCopiesComeIsWaitedForBeyondTheTime() {
    AtomicInteger asked = new AtomicInteger();
    handshake.waits();

    Set<NodeId> missing =
        handshake.await(
            0,
            () -> false,
            () -> Set.of(ONE),
            member -> {
              if (asked.incrementAndGet() == 3) {
                handshake.releasedBy(member);
              }
            },
            () -> {});

    assertThat(missing).isEmpty();
    assertThat(handshake.copiesCome()).isTrue();
  }

  @Test
  void whoGivesUpWaitsForAMomentAndForNoCopies() {
    LeaveHandshake hasty = new LeaveHandshake(50);
    List<NodeId> asked = new ArrayList<>();
    hasty.waits();

    Set<NodeId> missing = hasty.await(EVER, () -> true, () -> Set.of(ONE), asked::add, () -> {});

    assertThat(missing).containsExactly(ONE);
    assertThat(asked).contains(ONE);
  }

  /** Else the others take it for lost, and the last of two serves nothing. */
  @Test
  void whoHasGivenUpTellsTheOthersAllTheSame() {
    Set<NodeId> missing =
        handshake.await(0, () -> true, () -> Set.of(ONE), handshake::releasedBy, () -> {});

    assertThat(missing).isEmpty();
  }

  @Test
  void anInterruptLeavesWithoutConsents() {
    Thread.currentThread().interrupt();

    Set<NodeId> missing =
        handshake.await(EVER, () -> false, () -> Set.of(ONE), member -> {}, () -> {});

    assertThat(Thread.interrupted()).isTrue();
    assertThat(missing).containsExactly(ONE);
  }
}
