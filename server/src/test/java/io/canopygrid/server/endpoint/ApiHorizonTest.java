package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ChangeFeed;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The things that hold the horizon back, by HTTP. */
@NullUnmarked // the server is there while a test runs
final class ApiHorizonTest {
  private TestServer server;
  private EmbeddedCanopy db;
  private ApiCaller api;
  private Index<String, Long> accounts;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    db = server.node();
    api = ApiCaller.of(server);
    accounts = db.index("accounts", Codec.string(), Codec.int64());
    put(1);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(long value) {
    db.run(tx -> tx.on(accounts).put("ada", value));
  }

  /** Null: there is none. */
  private JsonNode holder(String kind) throws Exception {
    for (JsonNode holder : api.get("/horizon").ok().get("holders")) {
      if (holder.get("kind").asText().equals(kind)) {
        return holder;
      }
    }
    return null;
  }

  @Test
  void anOpenTransactionIsNamedByItsLabelAndKeepsVersions() throws Exception {
    try (Transaction open = db.begin(TransactionOptions.labelled("report"))) {
      open.on(accounts).get("ada");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> {
            put(2);
            assertThat(api.get("/horizon").ok().get("horizonMillis").asLong()).isGreaterThan(1_000);
          });
      JsonNode told = api.get("/horizon").ok();
      JsonNode node = told.get("nodes").get(0);
      assertThat(node.get("node").asText()).isEqualTo(db.served().name());
      assertThat(node.get("versions").asLong()).isPositive();
      assertThat(node.get("logEntries").asLong()).isPositive();
      JsonNode first = told.get("holders").get(0);
      assertThat(first.get("what").asText()).isEqualTo("a transaction 'report'");
      assertThat(first.get("name").asText()).isEqualTo("report");
      assertThat(first.get("node").asText()).isEqualTo(db.served().name());
      assertThat(first.get("millis").asLong()).isPositive();
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          put(3);
          assertThat(api.get("/horizon").ok().get("horizonMillis").asLong()).isLessThan(1_000);
        });
  }

  @Test
  void snapshotsBackupsAndClonesAreNamed() throws Exception {
    assertThat(api.get("/horizon").ok().get("holders").toString()).doesNotContain("snapshot");
    db.snapshot("night");
    db.snapshot(SnapshotNames.ofBackup(-7));
    db.cloneIndex("trial", CloneSource.of("accounts"));
    assertThat(holder("snapshot").get("name").asText()).isEqualTo("night");
    assertThat(holder("backup").get("name").asText()).isEqualTo(SnapshotNames.ofBackup(-7));
    JsonNode clone = holder("clone");
    assertThat(clone.get("name").asText()).isEqualTo("trial");
    assertThat(clone.get("node").isNull()).isTrue();
    db.dropSnapshot("night");
    await().atMost(Duration.ofMinutes(1)).until(() -> holder("snapshot") == null);
  }

  @Test
  void aFeedIsNamedByItsIndex() throws Exception {
    try (ChangeFeed<String, Long> feed = db.changes(accounts, FeedOptions.fromNow())) {
      assertThat(feed.next(Duration.ofMillis(1))).isNull();
      await().atMost(Duration.ofMinutes(1)).until(() -> holder("feed") != null);
      assertThat(holder("feed").get("what").asText())
          .isEqualTo("a change feed of index 'accounts'");
    }
  }

  @Test
  void itIsForUsersWhoMayReadSomething() throws Exception {
    try (TestServer guarded = TestServer.guarded()) {
      user(guarded, "tim", List.of(new Request.Grant("accounts", "reader")));
      user(guarded, "nob", List.of());
      ApiCaller.of(guarded).as("tim", "t").get("/horizon").ok();
      ApiCaller.of(guarded).as("nob", "t").get("/horizon").is(403, ErrorCode.FORBIDDEN);
    }
    api.get("/horizon?node=1").is(400, ErrorCode.INVALID_ARGUMENT);
  }

  private static void user(TestServer server, String name, List<Request.Grant> grants) {
    server.users().put(new Request.PutUser(name, Credentials.of("t".toCharArray()), grants));
  }
}
