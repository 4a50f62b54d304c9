package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit whose connection is lost before its answer: never twice, never wrongly reported. */
final class CommitOutcomeTest {
  /** The patience of a handle to which the servers tell the outcome. */
  private static final Duration PATIENT = Duration.ofSeconds(60);

  /** The patience of a handle to which no server tells it: long enough to ask more than once. */
  private static final Duration IMPATIENT = Duration.ofSeconds(3);

  private final List<FakeServer> servers = new ArrayList<>();

  /** The answer of every server to LookUp. */
  private volatile CommitState outcome = CommitState.UNKNOWN;

  /** The number of commits that still lose their connection. */
  private final AtomicInteger losses = new AtomicInteger(1);

  /** Whether commits are answered by something that is no answer to a commit. */
  private volatile boolean answersWrongly;

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 3; i++) {
      servers.add(new FakeServer(this::answer));
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (FakeServer server : servers) {
      server.close();
    }
  }

  private @Nullable Reply answer(Request request) throws IOException {
    if (request instanceof Request.Commit) {
      if (losses.getAndDecrement() > 0) {
        throw new EOFException("lost");
      }
      return answersWrongly ? new Reply.Value(Reply.Seen.NOTHING, null) : Fakes.DONE;
    }
    if (request instanceof Request.Execute) {
      return new Reply.Value(Reply.Seen.NOTHING, null);
    }
    if (request instanceof Request.LookUp) {
      return Fakes.outcome(outcome);
    }
    if (request instanceof Request.Get) {
      return new Reply.Value(Reply.Seen.NOTHING, null);
    }
    return request instanceof Request.End ? null : Fakes.NO_ROUTES;
  }

  private Canopy connect(Duration outcomePatience) {
    return RemoteCanopy.connect(
        "canopy://" + String.join(",", servers.stream().map(FakeServer::address).toList()),
        ClientOptions.DEFAULTS.withOutcomePatience(outcomePatience));
  }

  private <T> List<T> received(Class<T> type) {
    return servers.stream()
        .flatMap(server -> server.received().stream())
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  @Test
  void aCommitThatTookEffectIsReportedAndNotRepeated() {
    outcome = CommitState.COMMITTED;
    AtomicInteger bodies = new AtomicInteger();
    try (Canopy db = connect(PATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> {
        bodies.incrementAndGet();
        tx.on(index).put(1L, 1L);
      });
      assertThat(db.token().clock()).as("what the outcome said").isEqualTo(Fakes.clock(5, 9));
    }
    assertThat(bodies).hasValue(1);
    assertThat(received(Request.Commit.class)).hasSize(1);
    assertThat(received(Request.LookUp.class)).hasSize(1);
    assertThat(received(Request.LookUp.class).get(0).commit())
        .isEqualTo(received(Request.Commit.class).get(0).commit());
  }

  @Test
  void aBlindCommitThatWasPreventedGoesToAnotherServerUnderAnotherName() {
    outcome = CommitState.NOT_COMMITTED;
    AtomicInteger bodies = new AtomicInteger();
    try (Canopy db = connect(PATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> {
        bodies.incrementAndGet();
        tx.on(index).put(1L, 1L);
      });
    }
    assertThat(bodies).as("the body need not run again").hasValue(1);
    List<CommitId> names =
        received(Request.Commit.class).stream().map(Request.Commit::commit).toList();
    assertThat(names).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void aCommitThatWasPreventedAfterReadsRunsTheBodyAgain() {
    outcome = CommitState.NOT_COMMITTED;
    AtomicInteger bodies = new AtomicInteger();
    try (Canopy db = connect(PATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> {
        bodies.incrementAndGet();
        tx.on(index).compute(1L, (k, v) -> v == null ? 1 : v + 1);
      });
      assertThat(db.stats().total().aborts()).containsEntry(ErrorCode.NOT_CONNECTED, 1L);
    }
    assertThat(bodies).hasValue(2);
    assertThat(received(Request.Commit.class)).hasSize(2);
  }

  @Test
  void whatNobodyCanTellIsUnknownAndNotRepeated() {
    outcome = CommitState.UNKNOWN;
    AtomicInteger bodies = new AtomicInteger();
    try (Canopy db = connect(IMPATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      CanopyException e =
          catchThrowableOfType(
              CanopyException.class,
              () ->
                  db.run(tx -> {
                    bodies.incrementAndGet();
                    tx.on(index).put(1L, 1L);
                  }));
      assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_UNKNOWN);
      assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN);
      assertThat(e.retryable()).isFalse();
    }
    assertThat(bodies).hasValue(1);
    assertThat(received(Request.Commit.class)).hasSize(1);
    assertThat(received(Request.LookUp.class)).hasSizeGreaterThan(1);
  }

  @Test
  void answeredCommitsAreForgotten() {
    losses.set(0);
    try (Canopy db = connect(PATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(index).put(1L, 1L));
      db.run(tx -> tx.on(index).put(2L, 2L));
    }
    List<Request.Commit> commits = received(Request.Commit.class);
    assertThat(commits.get(1).forget()).containsExactly(commits.get(0).commit());
  }

  /** Such a server may have committed all the same. */
  @Test
  void aWrongAnswerDoesNotTellThatACommitHasNotHappened() {
    losses.set(0);
    answersWrongly = true;
    outcome = CommitState.UNKNOWN;
    try (Canopy db = connect(IMPATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      assertThat(failureOf(() -> db.run(tx -> tx.on(index).put(1L, 1L))))
          .extracting(CanopyException::code, CanopyException::commitState)
          .containsExactly(ErrorCode.COMMIT_UNKNOWN, CommitState.UNKNOWN);
    }
    try (Canopy db = connect(PATIENT)) {
      Index<Long, Long> index = db.index("a", Codec.int64(), Codec.int64());
      outcome = CommitState.NOT_COMMITTED;
      assertThat(failureOf(() -> db.run(tx -> tx.on(index).put(1L, 1L))))
          .extracting(CanopyException::code, CanopyException::commitState)
          .containsExactly(ErrorCode.PROTOCOL_ERROR, CommitState.NOT_COMMITTED);
      outcome = CommitState.COMMITTED;
      db.run(tx -> tx.on(index).put(1L, 1L));
    }
    assertThat(received(Request.Commit.class)).hasSize(3);
  }

  @Test
  void aWrongAnswerDoesNotTellThatAFunctionHasNotRun() {
    FunctionCall call = FunctionCall.of("f", new byte[0]);
    outcome = CommitState.UNKNOWN;
    try (Canopy db = connect(IMPATIENT)) {
      assertThat(failureOf(() -> db.execute(call)))
          .extracting(CanopyException::code, CanopyException::commitState)
          .containsExactly(ErrorCode.COMMIT_UNKNOWN, CommitState.UNKNOWN);
    }
    try (Canopy db = connect(PATIENT)) {
      outcome = CommitState.NOT_COMMITTED;
      assertThat(failureOf(() -> db.execute(call)))
          .extracting(CanopyException::code, CanopyException::commitState)
          .containsExactly(ErrorCode.PROTOCOL_ERROR, CommitState.NOT_COMMITTED);
      outcome = CommitState.COMMITTED;
      assertThat(db.execute(call)).isEmpty();
    }
    assertThat(received(Request.Execute.class)).hasSize(3);
  }

  private static CanopyException failureOf(ThrowingCallable call) {
    return catchThrowableOfType(CanopyException.class, call);
  }
}
