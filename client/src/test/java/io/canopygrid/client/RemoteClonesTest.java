package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexClone;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The requests of a client about clones, and what it makes of the answers. */
@NullUnmarked // the server is there while a test runs
final class RemoteClonesTest {
  private static final Reply LOST = new Reply.Drain(0);
  private static final IndexClone TRIAL =
      new IndexClone("trial", "accounts", Instant.ofEpochMilli(1_790_000_000_000L), 1);

  private final BlockingQueue<Reply> answers = new LinkedBlockingQueue<>();
  private FakeServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        new FakeServer(request -> {
          if (!isOfClones(request)) {
            return Fakes.ofOneIndex(request, VectorClock.ZERO);
          }
          Reply next = answers.poll();
          if (LOST.equals(next)) {
            throw new EOFException("as it should");
          }
          return next;
        });
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static boolean isOfClones(ClientMessage message) {
    return message instanceof Request.MakeClone
        || message instanceof Request.ListClones
        || message instanceof Request.FlattenClone;
  }

  private List<ClientMessage> asked() {
    return server.received().stream().filter(RemoteClonesTest::isOfClones).toList();
  }

  private RemoteCanopy connected() {
    return RemoteCanopy.connect("canopy://" + server.address());
  }

  @Test
  void aCloneIsOfTheStateThatIsNamed() {
    Reply made = new Reply.Clones(List.of(TRIAL));
    CloneSource accounts = CloneSource.of("accounts");
    try (Canopy db = connected()) {
      answers.addAll(List.of(made, made, made));
      assertThat(db.cloneIndex("trial", accounts)).isEqualTo(TRIAL);
      db.cloneIndex("trial", accounts.at("night"));
      db.cloneIndex("trial", accounts.asOf(Instant.ofEpochMilli(77)));
    }
    assertThat(asked())
        .containsExactly(
            new Request.MakeClone("trial", "accounts", ""),
            new Request.MakeClone("trial", "accounts", "night"),
            new Request.MakeClone("trial", "accounts", "@77"));
  }

  @Test
  void aCloneWhoseAnswerIsLostIsNotMadeTwice() {
    try (Canopy db = connected()) {
      answers.add(LOST);
      CanopyException lost =
          Refusal.of(
              ErrorCode.NOT_CONNECTED, () -> db.cloneIndex("trial", CloneSource.of("accounts")));
      assertThat(lost.commitState()).isEqualTo(CommitState.UNKNOWN);
      assertThat(asked()).hasSize(1);
    }
  }

  @Test
  void whatTheServerRefusesWasNotDone() {
    try (Canopy db = connected()) {
      answers.add(
          Reply.Failure.of(new CanopyException(ErrorCode.INDEX_EXISTS, "there is an index")));
      CanopyException e =
          Refusal.of(
              ErrorCode.INDEX_EXISTS, () -> db.cloneIndex("trial", CloneSource.of("accounts")));
      assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
    }
  }

  @Test
  void clonesAreAskedForAgain() {
    try (Canopy db = connected()) {
      answers.addAll(List.of(LOST, new Reply.Clones(List.of(TRIAL))));
      assertThat(db.clones()).containsExactly(TRIAL);
      assertThat(asked()).hasSize(2);
    }
  }

  @Test
  void aStepWhoseAnswerIsLostIsMadeAgain() {
    try (RemoteCanopy db = connected()) {
      answers.addAll(
          List.of(
              new Reply.Flattened(7, 500, false),
              LOST,
              new Reply.Flattened(7, 20, false),
              new Reply.Flattened(7, 0, true)));
      List<Long> progress = new ArrayList<>();
      assertThat(db.flattenClone("trial", progress::add)).isEqualTo(520);
      assertThat(progress).containsExactly(500L, 520L, 520L);
    }
    assertThat(asked())
        .extracting(message -> ((Request.FlattenClone) message).number())
        .containsExactly(0, 7, 7, 7);
  }

  @Test
  void aServerOfAnOlderReleaseIsNotAsked() {
    server.knowsOnly(WireLimits.FEATURES & ~WireLimits.FEATURE_CLONES);
    try (Canopy db = connected()) {
      CloneSource accounts = CloneSource.of("accounts");
      assertThat(Refusal.of(ErrorCode.PROTOCOL_ERROR, () -> db.cloneIndex("trial", accounts)))
          .hasMessageContaining("older release")
          .hasMessageContaining("no clones");
      Refusal.of(ErrorCode.PROTOCOL_ERROR, db::clones);
      Refusal.of(ErrorCode.PROTOCOL_ERROR, () -> db.flattenClone("trial"));
      assertThat(asked()).isEmpty();
    }
  }
}
