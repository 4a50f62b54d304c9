package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.wire.client.Request;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines that say who logged in and who changed what. */
final class AuditLogTest {
  private static final String MERGE = "{\"change\":\"merge\",\"key\":1}";

  private LogLines log;
  private TestServer server;
  private ApiCaller ada;
  private ApiCaller rita;

  @BeforeEach
  void start() {
    log = new LogLines();
    server = TestServer.guarded();
    user("ada", "secret", new Request.Grant("", "admin"));
    user("rita", "r", new Request.Grant("", "reader"));
    ada = ApiCaller.of(server).as("ada", "secret");
    rita = ApiCaller.of(server).as("rita", "r");
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

  /** The lines so far, without the ports of clients. */
  private List<String> lines() {
    return log.of(Level.INFO, AuditLog.LOGGER).stream()
        .map(line -> line.replaceAll("127\\.0\\.0\\.1:\\d+", "here"))
        .filter(line -> line.contains("here"))
        .toList();
  }

  private RemoteCanopy connect(String user, String password) {
    return RemoteCanopy.connect(
        "canopy://" + server.address(), ClientOptions.DEFAULTS.as(user, password));
  }

  @Test
  void loginsAreWrittenDownOnceForAConnection() throws Exception {
    ada.get("/indexes").ok();
    ada.get("/indexes").ok();
    assertThat(lines()).containsExactly("ada@here logged in by HTTP");
    connect("rita", "r").close();
    assertThat(lines()).containsOnlyOnce("rita@here logged in by canopy");
  }

  @Test
  void whoeverIsRefusedIsWrittenDown() throws Exception {
    ada.as("ada", "wrong").get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    ada.as("e\u0007ve' done", "wrong").get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    assertThatThrownBy(() -> connect("zoe", "wrong").close()).isInstanceOf(CanopyException.class);
    assertThat(lines())
        .anyMatch(line -> line.startsWith("here was refused by HTTP as 'ada': CNPY-4003"))
        .anyMatch(
            line -> line.startsWith("here was refused by HTTP as 'e\\u0007ve\\' done': CNPY-4003"))
        .anyMatch(line -> line.contains("here was refused by canopy: CNPY-4003"))
        .noneMatch(line -> line.contains("wrong"));
  }

  @Test
  void changesOfSchemaAndStructureAreWrittenDownWithTheirEnd() throws Exception {
    ada.index("things", "int64", "string");
    ada.index("things", "int64", "string");
    ada.put("/indexes/things/entries/7", "{\"value\":\"x\"}");
    rita.post("/indexes/things/changes", MERGE).is(403, ErrorCode.FORBIDDEN);
    ada.post("/indexes/things/changes", MERGE).is(400, ErrorCode.INVALID_ARGUMENT);
    ada.post("/indexes/things/changes", "{\"change\":\"split\",\"key\":7}").ok();
    try (RemoteCanopy db = connect("ada", "secret")) {
      db.dropIndex("things");
      db.dropIndex("things");
    }
    assertThat(lines())
        .filteredOn(line -> !line.contains("logged in"))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("ada@here creates index 'things': done"),
            line ->
                assertThat(line)
                    .startsWith(
                        "rita@here asks to merge a subtree of index 'things': refused, CNPY-4004"),
            line ->
                assertThat(line)
                    .startsWith(
                        "ada@here asks to merge a subtree of index 'things': refused, CNPY-3008"),
            line ->
                assertThat(line)
                    .isEqualTo("ada@here asks to split a subtree of index 'things': done"),
            line -> assertThat(line).isEqualTo("ada@here drops index 'things': done"));
  }

  @Test
  void changesOfUsersAndOfTheClusterAreWrittenDown() throws Exception {
    try (RemoteCanopy db = connect("ada", "secret")) {
      db.putUser(
          new Request.PutUser(
              "bob",
              Credentials.of("hush".toCharArray()),
              List.of(new Request.Grant("", "reader"), new Request.Grant("orders", "writer"))));
      db.putUser(new Request.PutUser("bob", null, List.of()));
      db.removeUser("bob");
      db.removeUser("bob");
      db.snapshot("monday");
      db.dropSnapshot("monday");
    }
    ada.post("/upgrade", "").ok();
    assertThat(lines())
        .filteredOn(line -> !line.contains("logged in"))
        .containsExactly(
            "ada@here puts user 'bob' with a new password: reader, writer of 'orders': done",
            "ada@here puts user 'bob' with the old password: no rights: done",
            "ada@here removes user 'bob': done",
            "ada@here creates snapshot 'monday': done",
            "ada@here drops snapshot 'monday': done",
            "ada@here finalizes the upgrade: done");
    assertThat(log.all()).noneMatch(line -> line.contains("hush"));
  }

  /** A change that a fault of the server ends may have been made. */
  @Test
  void anEndThatIsNotKnownIsWrittenDownAsThat() {
    AuditLog audit = AuditLog.of(new ScramAuthentication(server.users()));
    AuditLog.Change change = new AuditLog.Change("index.move", "moves\nit");
    List<RuntimeException> ends =
        List.of(
            new IllegalStateException("a fault"),
            new CanopyException(ErrorCode.TIMEOUT, "late", CommitState.UNKNOWN, null, null));
    for (RuntimeException end : ends) {
      assertThatThrownBy(() ->
              audit.change(
                  "ada@127.0.0.1:1",
                  change,
                  () -> {
                    throw end;
                  },
                  any -> true))
          .isSameAs(end);
    }
    assertThat(lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("ada@here moves\\nit: unknown, CNPY-9001"),
            line -> assertThat(line).startsWith("ada@here moves\\nit: unknown, CNPY-2007"));
  }

  @Test
  void nothingIsWrittenDownWhereNobodyIsKnown() throws Exception {
    try (TestServer open = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller anybody = ApiCaller.of(open);
      anybody.index("things", "int64", "string");
      anybody.post("/indexes/things/changes", MERGE).is(400, ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(lines()).isEmpty();
  }
}
