package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Table;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.RunningJob;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long jobs of clients, by HTTP. */
@NullUnmarked // the server is there while a test runs
final class ApiJobsTest {
  private static final int ROWS = 300;

  private LogLines log;
  private TestServer server;
  private ApiCaller ada;
  private ApiCaller rita;

  @BeforeEach
  void start() throws Exception {
    log = new LogLines();
    server = TestServer.guarded();
    user("ada", new Request.Grant("", "admin"));
    user("will", new Request.Grant("accounts", "writer"));
    user("rita", new Request.Grant("accounts", "reader"));
    ada = ApiCaller.of(server).as("ada", "s");
    rita = ApiCaller.of(server).as("rita", "s");
    ada.index("accounts", "int64", "int64");
  }

  @AfterEach
  void stop() {
    log.close();
    server.close();
  }

  private void user(String name, Request.Grant... grants) {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of("s".toCharArray()), List.of(grants)));
  }

  private RemoteCanopy client(String user) {
    return RemoteCanopy.connect(
        "canopy://" + server.address(), ClientOptions.DEFAULTS.as(user, "s"));
  }

  private static JobTeller load(Canopy db) {
    return new JobTeller(db, JobReport.Kind.LOAD, "accounts", "accounts.csv", "KiB");
  }

  /** The newest job of a kind; null: there is none. */
  private static @Nullable JsonNode job(ApiCaller api, String kind) throws Exception {
    for (JsonNode job : api.get("/jobs").ok().get("jobs")) {
      if (job.get("job").asText().equals(kind)) {
        return job;
      }
    }
    return null;
  }

  @Test
  void aLoadIsShownWithItsProgressAndItsEnd() throws Exception {
    try (RemoteCanopy db = client("will")) {
      JobTeller job = load(db);
      job.over(() -> {
        job.reached(30, 120);
        JsonNode shown = job(rita, "load");
        assertThat(shown.get("state").asText()).isEqualTo("running");
        assertThat(shown.get("index").asText()).isEqualTo("accounts");
        assertThat(shown.get("detail").asText()).isEqualTo("accounts.csv");
        assertThat(shown.get("moved").asLong()).isEqualTo(30);
        assertThat(shown.get("entries").asLong()).isEqualTo(120);
        assertThat(shown.get("unit").asText()).isEqualTo("KiB");
        assertThat(shown.get("user").asText()).startsWith("will");
        assertThat(shown.get("by").asText()).isEqualTo(server.node().served().name());
        assertThat(shown.get("cancellable").asBoolean()).isFalse();
        assertThat(job(ada, "load").get("cancellable").asBoolean()).isTrue();
        assertThat(db.work().orElseThrow().jobs())
            .containsExactly(new RunningJob("load", "accounts", 30, 120));
        job.ends(120);
      });
      assertThat(db.work().orElseThrow()).isEqualTo(new Reply.Work(List.of(), 0, ""));
      JsonNode ended = job(rita, "load");
      assertThat(ended.get("state").asText()).isEqualTo("done");
      assertThat(ended.get("moved").asLong()).isEqualTo(120);
      assertThat(ended.get("etaMillis").asLong()).isZero();
    }
  }

  @Test
  void aCancelledJobEndsWithItsNextReportAndIsWrittenDown() throws Exception {
    try (RemoteCanopy db = client("will")) {
      JobTeller job = load(db);
      assertThatThrownBy(() ->
              job.over(() -> {
                job.reached(1, 120);
                String cancel = "/jobs/" + job(ada, "load").get("id").asText() + "/cancel";
                rita.post(cancel, "").is(403, ErrorCode.FORBIDDEN);
                JsonNode ending = ApiCaller.of(server).as("will", "s").post(cancel, "").ok();
                assertThat(ending.get("state").asText()).isEqualTo("cancelling");
                while (true) {
                  job.reached(2, 120);
                  Thread.sleep(20);
                }
              }))
          .isInstanceOf(CanopyException.class)
          .hasMessageContaining(ErrorCode.INTERRUPTED.id())
          .hasMessageContaining("cancelled by will");
      JsonNode ended = job(rita, "load");
      assertThat(ended.get("state").asText()).isEqualTo("cancelled");
      String cancel = "/jobs/" + ended.get("id").asText() + "/cancel";
      ada.post(cancel, "").is(409, ErrorCode.INVALID_ARGUMENT);
      ada.post(cancel, "{}").is(400, ErrorCode.INVALID_ARGUMENT);
      ada.post("/jobs/none/cancel", "").is(404, ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(log.of(Level.INFO, AuditLog.LOGGER))
        .anyMatch(line -> line.contains("cancels the load of index 'accounts'"));
  }

  @Test
  void aFailureIsShown() throws Exception {
    try (RemoteCanopy db = client("will")) {
      CanopyException wrong = new CanopyException(ErrorCode.CODEC_FAILURE, "line 7");
      assertThatThrownBy(() ->
              load(db)
                  .over(() -> {
                    throw wrong;
                  }))
          .isSameAs(wrong);
      JsonNode ended = job(rita, "load");
      assertThat(ended.get("state").asText()).isEqualTo("failed");
      assertThat(ended.get("error").asText()).contains("line 7");
    }
  }

  @Test
  void jobsAreOfThoseWhoMayDoThem() throws Exception {
    try (RemoteCanopy db = client("rita")) {
      JobTeller job = load(db);
      job.over(() -> job.reached(1, 2)); // goes on, and nobody is told
      assertThat(job(ada, "load")).isNull();
      assertThatThrownBy(() -> db.execute(FunctionCall.of(JobReport.FUNCTION, new byte[] {7})))
          .hasMessageContaining(ErrorCode.INVALID_ARGUMENT.id());
    }
    try (RemoteCanopy db = client("ada")) {
      JobTeller job = new JobTeller(db, JobReport.Kind.BACKUP, "", "20261130", "entries");
      job.over(() -> {
        job.reached(1, 2);
        String cancel = "/jobs/" + job(ada, "backup").get("id").asText() + "/cancel";
        ApiCaller.of(server).as("will", "s").post(cancel, "").is(403, ErrorCode.FORBIDDEN);
      });
    }
  }

  @Test
  void theBuildOfAnIndexHasATotal() throws Exception {
    IndexDefinition<String, String> byLetter =
        IndexDefinition.of("letter", Codec.string(), word -> word.substring(0, 1));
    try (RemoteCanopy db = client("ada")) {
      Table<String, String> words = db.table("words", Codec.string(), Codec.string());
      db.run(tx -> {
        for (int row = 0; row < ROWS; row++) {
          tx.on(words).put("key " + row, "word " + row);
        }
      });
      words.createIndex(byLetter);
    }
    JsonNode built = job(ada, "build");
    assertThat(built.get("state").asText()).isEqualTo("done");
    assertThat(built.get("detail").asText()).isEqualTo("letter");
    assertThat(built.get("moved").asLong()).isEqualTo(ROWS);
    assertThat(built.get("entries").asLong()).isEqualTo(ROWS);
  }

  @Test
  void theFlatteningOfACloneIsAJob() throws Exception {
    Index<Long, Long> accounts = server.node().index("accounts", Codec.int64(), Codec.int64());
    server
        .node()
        .run(tx -> {
          for (long key = 0; key < 100; key++) {
            tx.on(accounts).put(key, key);
          }
        });
    server.node().cloneIndex("trial", CloneSource.of("accounts"));
    ada.post("/indexes/trial/flatten", "").ok();
    JsonNode job = job(ada, "flatten");
    assertThat(job.get("state").asText()).isEqualTo("done");
    assertThat(job.get("moved").asLong()).isEqualTo(100);
    assertThat(job.get("entries").isNull()).isTrue();
    assertThat(job(rita, "flatten")).as("of an index that she may not read").isNull();
  }
}
