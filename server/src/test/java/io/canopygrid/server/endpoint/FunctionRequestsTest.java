package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.FunctionProvider;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.functions.FunctionJars;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions that a server has loaded, called by clients. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class FunctionRequestsTest {
  @TempDir private Path directory;

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private void load(TestServer server) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(FunctionProvider.class.getName()), OwnFunctions.class.getName());
    FunctionJars.register(server.node(), FunctionJars.load(directory));
  }

  private static Map<Long, Long> balances(Canopy db, Index<Long, Long> accounts) {
    return db.<Map<Long, Long>, RuntimeException>read(
        tx -> Map.of(1L, tx.on(accounts).get(1L), 2L, tx.on(accounts).get(2L)));
  }

  @Test
  void aClientCallsWhatTheServerHasLoaded() throws IOException {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      load(server);
      Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(accounts).put(1L, 100L));
      FunctionCall transfer = FunctionCall.of("transfer", Codec.int64(), 60L).at(accounts, 1L);
      long before = db.stats().total().remoteRequests();
      assertThat(db.execute(transfer, Codec.bool())).isTrue();
      assertThat(db.execute(transfer, Codec.bool())).isFalse();
      assertThat(db.stats().total().remoteRequests() - before).isEqualTo(2);
      assertThat(balances(db, accounts)).isEqualTo(Map.of(1L, 40L, 2L, 60L));
      refused(ErrorCode.FUNCTION_FAILED, () -> db.execute("fails", new byte[0]));
      refused(ErrorCode.INVALID_ARGUMENT, () -> db.register("mine", (tx, bytes) -> bytes));
      refused(ErrorCode.UNKNOWN_FUNCTION, () -> db.execute("mine", new byte[0]));
    }
  }

  @Test
  void aCallThatFailsIsLogged() throws IOException {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        Canopy db = RemoteCanopy.connect("canopy://" + server.address());
        LogLines log = new LogLines()) {
      load(server);
      log.clear();
      refused(ErrorCode.FUNCTION_FAILED, () -> db.execute("fails", new byte[0]));
      assertThat(log.of(Level.INFO))
          .singleElement()
          .asString()
          .startsWith("function 'fails' of ")
          .contains(" was aborted after ", ErrorCode.FUNCTION_FAILED.toString());
    }
  }

  @Test
  void aCallUnderOneNameTakesEffectOnceAndHasOneResult() throws IOException {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        Canopy db = RemoteCanopy.connect("canopy://" + server.address());
        TestClient client = TestClient.greeted(server.port())) {
      Index<Long, Long> numbers = db.index("numbers", Codec.int64(), Codec.int64());
      CommitId name = new CommitId(TestClient.CLIENT, System.currentTimeMillis(), 1, 3);
      FunctionCall add = Functions.add(numbers, 1L, 5);
      Request.Execute call =
          new Request.Execute(
              TestClient.begin(Step.Mode.UPDATE),
              10,
              add.function(),
              new Request.Place(
                  server.node().served().find("numbers").number(), Codec.int64().encode(1L)),
              add.arguments(),
              name,
              List.of());
      client.say(1, call);
      assertThat(client.hear(Reply.Result.class).result()).isEqualTo(Codec.int64().encode(5L));
      db.execute(Functions.add(numbers, 1L, 100));
      client.say(2, call);
      assertThat(client.hear(Reply.Result.class).result()).isEqualTo(Codec.int64().encode(5L));
      client.say(3, new Request.LookUp(name));
      assertThat(client.hear(Reply.Outcome.class).result()).isEqualTo(Codec.int64().encode(5L));
      assertThat(db.<Long, RuntimeException>read(tx -> tx.on(numbers).get(1L))).isEqualTo(105);
    }
  }

  @Test
  void aFunctionMayDoWhatItsCallerMay() throws IOException {
    try (TestServer server = TestServer.guarded()) {
      load(server);
      user(server, "ada", new Request.Grant("", "writer"));
      user(server, "rita", new Request.Grant("", "reader"));
      try (Canopy ada = as(server, "ada");
          Canopy rita = as(server, "rita")) {
        Index<Long, Long> accounts = ada.index("accounts", Codec.int64(), Codec.int64());
        ada.run(tx -> tx.on(accounts).put(1L, 10L));
        Index<Long, Long> hers = rita.index("accounts", Codec.int64(), Codec.int64());
        refused(ErrorCode.FORBIDDEN, () -> rita.execute(Functions.add(hers, 1L, 1)));
        FunctionCall transfer = FunctionCall.of("transfer", Codec.int64(), 20L);
        assertThat(rita.execute(transfer, Codec.bool())).as("it only reads").isFalse();
        ada.execute(Functions.add(accounts, 1L, 90));
        refused(ErrorCode.FORBIDDEN, () -> rita.execute(transfer));
        assertThat(ada.execute(transfer, Codec.bool())).isTrue();
        assertThat(balances(ada, accounts)).isEqualTo(Map.of(1L, 80L, 2L, 20L));
      }
    }
  }

  private static void user(TestServer server, String name, Request.Grant grant) {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of("secret".toCharArray()), List.of(grant)));
  }

  private static Canopy as(TestServer server, String name) {
    return RemoteCanopy.connect(
        "canopy://" + server.address(), ClientOptions.DEFAULTS.as(name, "secret"));
  }

  @Test
  void whatDoesNotLoadIsAnErrorOfTheConfiguration() throws IOException {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      refused(ErrorCode.CONFIG_INVALID, () -> FunctionJars.load(directory.resolve("missing")));
      Path services = Files.createDirectories(directory.resolve("META-INF/services"));
      Files.writeString(services.resolve(FunctionProvider.class.getName()), "no.such.Class");
      refused(
          ErrorCode.CONFIG_INVALID,
          () -> FunctionJars.register(server.node(), FunctionJars.load(directory)));
    }
  }
}
