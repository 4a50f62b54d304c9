package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the requests about clones and their answers. */
@NullUnmarked // fields are set before each test
final class CloneRequestsTest {
  private TestServer server;
  private TestClient client;
  private Index<Long, Long> things;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer(EndpointLimits.DEFAULTS);
    client = TestClient.greeted(server.port());
    things = server.node().index("things", Codec.int64(), Codec.int64());
    put(1, 1);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private void put(long key, long value) {
    server.node().run(tx -> tx.on(things).put(key, value));
  }

  private long value(String index, long key) {
    Index<Long, Long> opened = server.node().index(index, Codec.int64(), Codec.int64());
    return server.node().<Long, RuntimeException>read(tx -> tx.on(opened).get(key));
  }

  private <M extends ClientMessage> M asked(Request request, Class<M> wanted) throws IOException {
    client.say(1, request);
    return client.hear(wanted);
  }

  private IndexClone made(String name, String index, String snapshot) throws IOException {
    List<IndexClone> clones =
        asked(new Request.MakeClone(name, index, snapshot), Reply.Clones.class).clones();
    assertThat(clones).hasSize(1);
    return clones.get(0);
  }

  private ErrorCode refused(Request request) throws IOException {
    int code = asked(request, Reply.Failure.class).code();
    return ErrorCode.find(Integer.toString(code)).orElseThrow();
  }

  @Test
  void aCloneIsOfThePresentOrOfASnapshot() throws IOException {
    long takenMillis = server.node().snapshot("night").taken().toEpochMilli();
    put(1, 2);
    IndexClone now = made("now", "things", "");
    assertThat(now.parent()).isEqualTo("things");
    assertThat(now.depth()).isEqualTo(1);
    made("then", "things", "night");
    made("exactly", "things", SnapshotNames.exact("night", takenMillis));
    put(1, 3);
    assertThat(value("now", 1)).isEqualTo(2);
    assertThat(value("then", 1)).isEqualTo(1);
    assertThat(value("exactly", 1)).isEqualTo(1);
    assertThat(asked(new Request.ListClones(), Reply.Clones.class).clones())
        .extracting(IndexClone::name)
        .containsExactly("exactly", "now", "then");
  }

  @Test
  void aCloneIsFlattenedStepByStep() throws IOException {
    made("trial", "things", "");
    long copied = 0;
    Reply.Flattened step = asked(new Request.FlattenClone("trial", 0), Reply.Flattened.class);
    while (!step.isLast()) {
      copied += step.copied();
      step = asked(new Request.FlattenClone("trial", step.number()), Reply.Flattened.class);
    }
    copied += step.copied();
    assertThat(copied).isEqualTo(1);
    assertThat(asked(new Request.ListClones(), Reply.Clones.class).clones()).isEmpty();
    Reply.Flattened again = asked(new Request.FlattenClone("trial", 0), Reply.Flattened.class);
    assertThat(again.copied()).isZero();
    assertThat(again.isLast()).isTrue();
    assertThat(refused(new Request.FlattenClone("trial", step.number() + 1)))
        .isEqualTo(ErrorCode.UNKNOWN_INDEX);
    assertThat(value("trial", 1)).isEqualTo(1);
  }

  @Test
  void whatCannotBeClonedIsRefused() throws IOException {
    assertThat(refused(new Request.MakeClone("a b", "things", "")))
        .isEqualTo(ErrorCode.INVALID_INDEX_NAME);
    assertThat(refused(new Request.MakeClone("trial", "$users", "")))
        .isEqualTo(ErrorCode.INVALID_INDEX_NAME);
    assertThat(refused(new Request.MakeClone("trial", "folks.rows", "")))
        .isEqualTo(ErrorCode.PART_OF_TABLE);
    assertThat(refused(new Request.MakeClone("folks.rows", "things", "")))
        .isEqualTo(ErrorCode.PART_OF_TABLE);
    assertThat(refused(new Request.MakeClone("trial", "things", "a b")))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(refused(new Request.MakeClone("trial", "things", "@")))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(refused(new Request.FlattenClone("folks.rows", 0)))
        .isEqualTo(ErrorCode.PART_OF_TABLE);
    assertThat(refused(new Request.MakeClone("trial", "nothing", "")))
        .isEqualTo(ErrorCode.UNKNOWN_INDEX);
    assertThat(refused(new Request.MakeClone("trial", "things", "noon")))
        .isEqualTo(ErrorCode.UNKNOWN_SNAPSHOT);
    assertThat(refused(new Request.MakeClone("things", "things", "")))
        .isEqualTo(ErrorCode.INDEX_EXISTS);
    assertThat(refused(new Request.FlattenClone("nothing", 0))).isEqualTo(ErrorCode.UNKNOWN_INDEX);
  }

  @Test
  void clonesAreWrittenDownWithWhoMadeThem() {
    try (LogLines log = new LogLines();
        TestServer guarded = TestServer.guarded()) {
      guarded
          .users()
          .put(
              new Request.PutUser(
                  "ada",
                  Credentials.of("secret".toCharArray()),
                  List.of(new Request.Grant("", "writer"))));
      Index<Long, Long> index = guarded.node().index("things", Codec.int64(), Codec.int64());
      guarded.node().run(tx -> tx.on(index).put(1L, 1L));
      ClientOptions ada = ClientOptions.DEFAULTS.as("ada", "secret");
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + guarded.address(), ada)) {
        db.cloneIndex("trial", CloneSource.of("things"));
        assertThat(db.flattenClone("trial")).isEqualTo(1);
      }
      assertThat(log.of(Level.INFO, AuditLog.LOGGER))
          .filteredOn(line -> line.contains("trial"))
          .satisfiesExactly(
              line ->
                  assertThat(line)
                      .startsWith("ada@")
                      .endsWith("creates index 'trial' as a clone of index 'things': done"),
              line -> assertThat(line).endsWith("flattens index 'trial': done"));
    }
  }
}
