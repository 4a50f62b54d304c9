package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.ongres.scram.client.ScramClient;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may come in, and what they may do there. */
final class LoginTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.guarded();
    user("ada", "secret", new Request.Grant("", "admin"));
    user("rita", "books", new Request.Grant("", "reader"), new Request.Grant("hers", "writer"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void user(String name, String password, Request.Grant... grants) {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of(password.toCharArray()), List.of(grants)));
  }

  private RemoteCanopy as(String name, String password) {
    return RemoteCanopy.connect(
        "canopy://" + server.address(), ClientOptions.DEFAULTS.as(name, password));
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void whoHasTheRightPasswordComesIn() {
    try (RemoteCanopy db = as("ada", "secret")) {
      Index<Long, String> index = db.index("things", Codec.int64(), Codec.string());
      db.run(tx -> tx.on(index).put(1L, "one"));
      assertThat(db.<String, RuntimeException>read(tx -> String.valueOf(tx.on(index).get(1L))))
          .isEqualTo("one");
      assertThat(db.users().users()).extracting(Reply.User::name).containsExactly("ada", "rita");
    }
  }

  @Test
  void othersDoNot() {
    refused(ErrorCode.UNAUTHENTICATED, () -> as("ada", "wrong").close());
    refused(ErrorCode.UNAUTHENTICATED, () -> as("nobody", "secret").close());
    refused(
        ErrorCode.UNAUTHENTICATED,
        () -> RemoteCanopy.connect("canopy://" + server.address()).close());
  }

  @Test
  void rolesAndGrantsCount() {
    try (RemoteCanopy ada = as("ada", "secret");
        RemoteCanopy rita = as("rita", "books")) {
      ada.index("things", Codec.int64(), Codec.string());
      Index<Long, String> things = rita.index("things", Codec.int64(), Codec.string());
      Index<Long, String> hers = rita.index("hers", Codec.int64(), Codec.string());
      rita.run(tx -> tx.on(hers).put(1L, "mine"));
      refused(ErrorCode.FORBIDDEN, () -> rita.run(tx -> tx.on(things).put(1L, "x")));
      refused(ErrorCode.FORBIDDEN, () -> rita.index("new", Codec.int64(), Codec.string()));
      refused(ErrorCode.FORBIDDEN, () -> rita.snapshot("night"));
      refused(ErrorCode.FORBIDDEN, rita::users);
      assertThat(ada.removeUser("rita")).isTrue();
    }
    refused(ErrorCode.UNAUTHENTICATED, () -> as("rita", "books").close());
  }

  @Test
  void nothingIsServedBeforeItIsKnownWhoAsks() throws IOException {
    try (TestClient client = TestClient.greeted(server.port())) {
      client.say(1, new Request.ListIndexes());
      assertThat(client.hear(ClientMessage.Goodbye.class).code())
          .isEqualTo(ErrorCode.UNAUTHENTICATED.number());
    }
  }

  @Test
  void aLoginThatWasOverheardIsOfNoUse() throws Exception {
    ScramClient scram =
        ScramClient.builder()
            .advertisedMechanisms(List.of("SCRAM-SHA-256"))
            .username("ada")
            .password("secret".toCharArray())
            .build();
    String first = scram.clientFirstMessage().toString();
    String proof;
    try (TestClient client = TestClient.greeted(server.port())) {
      client.say(0, authenticate(first));
      String asked = new String(client.hear(Reply.Challenge.class).data(), StandardCharsets.UTF_8);
      scram.serverFirstMessage(asked);
      proof = scram.clientFinalMessage().toString();
      client.say(0, authenticate(proof));
      assertThat(client.hear(Reply.Challenge.class).done()).isTrue();
    }
    try (TestClient thief = TestClient.greeted(server.port())) {
      thief.say(0, authenticate(first));
      thief.hear(Reply.Challenge.class);
      thief.say(0, authenticate(proof));
      assertThat(thief.hear(ClientMessage.Goodbye.class).code())
          .isEqualTo(ErrorCode.UNAUTHENTICATED.number());
    }
  }

  private static Request.Authenticate authenticate(String text) {
    return new Request.Authenticate("SCRAM-SHA-256", text.getBytes(StandardCharsets.UTF_8));
  }
}
