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

/** Tests which clients may log in, and what they may do. */
final class LoginTest {
  private LogLines log;
  private TestServer server;

  @BeforeEach
  void start() {
    log = new LogLines();
    server = TestServer.guarded();
    user("ada", "secret", new Request.Grant("", "admin"));
    user("rita", "books", new Request.Grant("", "reader"), new Request.Grant("hers", "writer"));
  }

  @AfterEach
  void stop() {
    log.close();
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

  private void assertLogged(ErrorCode code, String why) {
    assertThat(log.warnings(code)).as(why).anyMatch(line -> line.contains(why));
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
  void whoMayCreateMayDrop() {
    try (RemoteCanopy ada = as("ada", "secret");
        RemoteCanopy rita = as("rita", "books")) {
      ada.index("things", Codec.int64(), Codec.string());
      ada.table("folks", Codec.int64(), Codec.string());
      rita.index("hers", Codec.int64(), Codec.string());
      refused(ErrorCode.FORBIDDEN, () -> rita.dropIndex("things"));
      refused(ErrorCode.FORBIDDEN, () -> rita.dropTable("folks"));
      assertThat(rita.dropIndex("hers")).isTrue();
      assertThat(ada.indexes()).containsExactly("folks.definitions", "folks.rows", "things");
      user(
          "rita",
          "books",
          new Request.Grant("", "reader"),
          new Request.Grant("folks.rows", "writer"));
    }
    try (RemoteCanopy rita = as("rita", "books")) {
      refused(ErrorCode.FORBIDDEN, () -> rita.dropTable("folks"));
    }
    user(
        "rita",
        "books",
        new Request.Grant("", "reader"),
        new Request.Grant("folks.rows", "writer"),
        new Request.Grant("folks.definitions", "writer"));
    try (RemoteCanopy rita = as("rita", "books")) {
      assertThat(rita.dropTable("folks")).isTrue();
      assertThat(rita.indexes()).containsExactly("things");
    }
  }

  @Test
  void othersDoNot() {
    refused(ErrorCode.UNAUTHENTICATED, () -> as("ada", "wrong").close());
    refused(ErrorCode.UNAUTHENTICATED, () -> as("nobody", "secret").close());
    refused(
        ErrorCode.UNAUTHENTICATED,
        () -> RemoteCanopy.connect("canopy://" + server.address()).close());
    assertLogged(ErrorCode.UNAUTHENTICATED, "user 'ada' is not known with this password");
    assertLogged(ErrorCode.UNAUTHENTICATED, "user 'nobody' is not known with this password");
  }

  /** A client cannot learn which users exist: not from messages, steps, or their cost. */
  @Test
  void whoIsNoUserIsAnsweredLikeOneWithAWrongPassword() throws Exception {
    List<String> known = wrongPassword("rita");
    List<String> unknown = wrongPassword("nora");
    assertThat(unknown.get(1)).isEqualTo(known.get(1).replace("rita", "nora"));
    assertThat(parts(unknown.get(0))).isEqualTo(parts(known.get(0)));
    assertThat(salt(wrongPassword("nora").get(0))).isEqualTo(salt(unknown.get(0)));
    assertThat(salt(known.get(0))).isNotEqualTo(salt(unknown.get(0)));
  }

  /** The lengths of nonce and salt, and the iterations, of the server's first message. */
  private static List<Object> parts(String challenge) {
    String[] parts = challenge.split(",", -1);
    return List.of(parts.length, parts[0].length(), parts[1].length(), parts[2]);
  }

  private static String salt(String challenge) {
    return challenge.split(",", -1)[1];
  }

  /** The server's first and last message. */
  private List<String> wrongPassword(String user) throws Exception {
    ScramClient scram =
        ScramClient.builder()
            .advertisedMechanisms(List.of("SCRAM-SHA-256"))
            .username(user)
            .password("wrong".toCharArray())
            .build();
    try (TestClient client = TestClient.greeted(server.port())) {
      client.say(0, authenticate(scram.clientFirstMessage().toString()));
      String asked = new String(client.hear(Reply.Challenge.class).data(), StandardCharsets.UTF_8);
      scram.serverFirstMessage(asked);
      client.say(0, authenticate(scram.clientFinalMessage().toString()));
      return List.of(asked, client.hear(ClientMessage.Goodbye.class).text());
    }
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
      assertLogged(ErrorCode.FORBIDDEN, "user 'rita' has no right to write index 'things'");
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
    assertLogged(ErrorCode.UNAUTHENTICATED, "before the handshake was over");
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
      assertLogged(ErrorCode.UNAUTHENTICATED, "the answer is not to this challenge");
    }
  }

  private static Request.Authenticate authenticate(String text) {
    return new Request.Authenticate("SCRAM-SHA-256", text.getBytes(StandardCharsets.UTF_8));
  }
}
