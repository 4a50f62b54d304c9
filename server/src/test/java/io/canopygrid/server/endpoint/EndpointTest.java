package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the requests of clients and their answers. */
final class EndpointTest {
  private TestServer server;
  private TestClient client;
  private int index;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer(EndpointLimits.DEFAULTS);
    client = TestClient.greeted(server.port());
    client.say(1, new Request.OpenIndex("things", "int32", "string", true, 1024));
    index = client.hear(Reply.IndexOpened.class).index();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) 0x80, 0, (byte) (i >> 8), (byte) i};
  }

  private Step.Write write(int key, String value) {
    return new Step.Write(index, key(key), value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private void put(int from, int to) throws IOException {
    Step.Write[] writes = new Step.Write[to - from];
    for (int i = from; i < to; i++) {
      writes[i - from] = write(i, "v" + i);
    }
    client.say(
        5, new Request.Commit(TestClient.first(5, Step.Mode.UPDATE, writes), null, List.of()));
    client.hear(Reply.Done.class);
  }

  @Test
  void aPutAndALookUpAreOneRequestEach() throws IOException {
    put(1, 2);
    client.say(6, new Request.Get(TestClient.only(5), index, key(1)));
    assertThat(client.hear(Reply.Value.class).value()).asString().isEqualTo("v1");
  }

  @Test
  void onlyWhatIsNamedByNameAndNumberIsDropped() throws IOException {
    put(1, 2);
    server.node().table("folks", Codec.int64(), Codec.string());
    client.say(1, new Request.Drop(Request.Dropped.INDEX, "folks.rows", 100));
    assertThat(client.hear(Reply.Failure.class).code()).isEqualTo(ErrorCode.PART_OF_TABLE.number());
    client.say(2, new Request.Drop(Request.Dropped.ENTRIES, "folks.definitions", 100));
    assertThat(client.hear(Reply.Failure.class).code()).isEqualTo(ErrorCode.PART_OF_TABLE.number());
    client.say(3, new Request.Drop(Request.Dropped.INDEX, "things", 0));
    assertThat(client.hear(Reply.Failure.class).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT.number());
    client.say(4, new Request.Drop(Request.Dropped.INDEX, "$users", 100));
    assertThat(client.hear(Reply.Failure.class).code())
        .isEqualTo(ErrorCode.INVALID_INDEX_NAME.number());
    client.say(5, new Request.Drop(Request.Dropped.TABLE, "folks", index));
    assertThat(client.hear(Reply.Count.class).count()).as("it is newer").isZero();
    client.say(6, new Request.Drop(Request.Dropped.INDEX, "things", index));
    assertThat(client.hear(Reply.Count.class).count()).isEqualTo(1);
    client.say(7, new Request.Drop(Request.Dropped.INDEX, "things", index));
    assertThat(client.hear(Reply.Count.class).count()).isZero();
    client.say(8, new Request.Get(TestClient.only(5), index, key(1)));
    Reply.Failure failure = client.hear(Reply.Failure.class);
    assertThat(failure.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX.number());
    assertThat(failure.facts()).contains(new Reply.Fact("number", Integer.toString(index)));
    client.say(9, new Request.FindDropped("never"));
    assertThat(client.hear(Reply.Failure.class).code()).isEqualTo(ErrorCode.UNKNOWN_INDEX.number());
  }

  @Test
  void aTransactionSeesItsWritesAndNobodyElseDoes() throws IOException {
    client.say(1, new Request.Stage(TestClient.first(1, Step.Mode.UPDATE, write(1, "mine"))));
    client.hear(Reply.Done.class);
    client.say(2, new Request.Get(TestClient.next(1), index, key(1)));
    assertThat(client.hear(Reply.Value.class).value()).asString().isEqualTo("mine");
    client.say(3, new Request.Get(TestClient.only(2), index, key(1)));
    assertThat(client.hear(Reply.Value.class).value()).isNull();
    client.say(4, new Request.End(1));
    client.say(5, new Request.Get(TestClient.next(1), index, key(1)));
    Reply.Failure failure = client.hear(Reply.Failure.class);
    assertThat(failure.code()).isEqualTo(ErrorCode.TRANSACTION_CLOSED.number());
  }

  @Test
  void aConflictSaysWithWhat() throws IOException {
    client.say(1, new Request.Get(TestClient.first(1, Step.Mode.UPDATE), index, key(1)));
    client.hear(Reply.Value.class);
    put(1, 2);
    client.say(2, new Request.Commit(TestClient.next(1, write(2, "x")), null, List.of()));
    Reply.Failure failure = client.hear(Reply.Failure.class);
    assertThat(failure.code()).isEqualTo(ErrorCode.WRITE_CONFLICT.number());
    assertThat(failure.retryable()).isTrue();
    assertThat(failure.facts())
        .contains(new Reply.Fact("index", "things"), new Reply.Fact("key", "1"));
  }

  @Test
  void aCursorSendsAsManyPagesAsItMay() throws IOException {
    put(0, 100);
    client.say(
        9,
        new Request.Scan(
            TestClient.only(1), index, KeyRange.ALL, false, false, Long.MAX_VALUE, 30, 1 << 20, 2));
    assertThat(client.hear(Reply.Page.class).entries()).hasSize(30);
    assertThat(client.hear(Reply.Page.class).entries()).hasSize(30);
    client.say(0, new io.canopygrid.wire.client.ClientMessage.Ping(1));
    client.hear(io.canopygrid.wire.client.ClientMessage.Pong.class);
    client.say(9, new Request.More(TestClient.next(1), 5));
    assertThat(client.hear(Reply.Page.class).end()).isFalse();
    Reply.Page last = client.hear(Reply.Page.class);
    assertThat(last.end()).isTrue();
    assertThat(last.entries()).hasSize(10);
    client.say(10, new Request.Get(TestClient.only(1), index, key(99)));
    assertThat(client.hear(Reply.Value.class).value()).asString().isEqualTo("v99");
  }

  @Test
  void scansGoBackwardsAndStopAtTheirLimit() throws IOException {
    put(0, 10);
    client.say(
        9,
        new Request.Scan(
            TestClient.only(1), index, KeyRange.of(key(0), key(8)), true, false, 1, 1, 1, 1));
    Reply.Page page = client.hear(Reply.Page.class);
    assertThat(page.end()).isTrue();
    assertThat(page.entries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.key()).isEqualTo(key(7)));
    client.say(1, new Request.CountRange(TestClient.only(2), index, KeyRange.ALL));
    assertThat(client.hear(Reply.Count.class).count()).isEqualTo(10);
  }

  @Test
  void largePagesFitIntoFrames() throws IOException {
    byte[] large = new byte[8 * 1024 * 1024];
    for (int i = 0; i < 3; i++) {
      Step.Write[] write = {new Step.Write(index, key(i), i == 0 ? new byte[100_000] : large)};
      client.say(
          1, new Request.Commit(TestClient.first(1, Step.Mode.UPDATE, write), null, List.of()));
      client.hear(Reply.Done.class);
    }
    client.say(
        9,
        new Request.Scan(
            TestClient.only(1), index, KeyRange.ALL, false, false, 100, 100, 1 << 20, 9));
    int entries = 0;
    Reply.Page page;
    do {
      page = client.hear(Reply.Page.class);
      entries += page.entries().size();
    } while (!page.end());
    assertThat(entries).isEqualTo(3);
  }

  @Test
  void manyRequestsAreUnderWayAtOnce() throws IOException {
    put(0, 200);
    for (int i = 0; i < 200; i++) {
      client.say(100 + i, new Request.Get(TestClient.only(i), index, key(i)));
    }
    Map<Integer, String> answers = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      WireCodec.Framed framed = client.hear();
      byte[] value = ((Reply.Value) framed.message()).value();
      answers.put(
          framed.stream() - 100, new String(value, java.nio.charset.StandardCharsets.UTF_8));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(answers).containsEntry(i, "v" + i);
    }
  }

  @Test
  void anotherServersClientLearnsWhatBecameOfACommit() throws IOException {
    CommitId name = new CommitId(TestClient.CLIENT, System.currentTimeMillis(), 1, 3);
    client.say(
        1,
        new Request.Commit(TestClient.first(1, Step.Mode.UPDATE, write(1, "x")), name, List.of()));
    client.hear(Reply.Done.class);
    try (TestClient other = TestClient.greeted(server.port())) {
      other.say(1, new Request.LookUp(name));
      assertThat(other.hear(Reply.Outcome.class).state()).isEqualTo(CommitState.COMMITTED);
    }
  }

  @Test
  void routesAndMembersHaveAddresses() throws IOException {
    client.say(1, new Request.AskRoutes(index, 0));
    Reply.Routes routes = client.hear(Reply.Routes.class);
    assertThat(routes.addresses()).containsExactly(server.address());
    assertThat(routes.routes())
        .singleElement()
        .satisfies(route -> assertThat(route.from()).isEmpty());
    client.say(2, new Request.AskRoutes(index, routes.version()));
    assertThat(client.hear(Reply.Routes.class).routes()).isEmpty();
    client.say(3, new Request.AskCluster());
    assertThat(client.hear(Reply.Cluster.class).members())
        .singleElement()
        .satisfies(member -> assertThat(member.address()).isEqualTo(server.address()));
  }

  @Test
  void codecsAreCompared() throws IOException {
    client.say(1, new Request.OpenIndex("things", "string", "string", true, 1024));
    assertThat(client.hear(Reply.Failure.class).code())
        .isEqualTo(ErrorCode.CODEC_MISMATCH.number());
    client.say(2, new Request.OpenIndex("$users", "", "", false, 1024));
    assertThat(client.hear(Reply.Failure.class).code())
        .isEqualTo(ErrorCode.INVALID_INDEX_NAME.number());
    client.say(3, new Request.OpenIndex("nothing", "", "", false, 1024));
    assertThat(client.hear(Reply.Failure.class).code()).isEqualTo(ErrorCode.UNKNOWN_INDEX.number());
    client.say(4, new Request.OpenIndex("things", "", "", false, 1024));
    assertThat(client.hear(Reply.IndexOpened.class).keyCodec()).isEqualTo("int32");
  }

  @Test
  void snapshotsAreTakenReadAndDropped() throws IOException {
    put(1, 2);
    client.say(1, new Request.TakeSnapshot("night"));
    assertThat(client.hear(Reply.Snapshots.class).snapshots()).hasSize(1);
    put(2, 3);
    Step.Begin atNight =
        new Step.Begin(
            Step.Mode.READ_ONLY,
            io.canopygrid.ReadFrom.PRIMARY,
            10_000,
            "",
            "night",
            io.canopygrid.clock.VectorClock.ZERO);
    client.say(
        2, new Request.CountRange(new Step(1, atNight, List.of(), true), index, KeyRange.ALL));
    assertThat(client.hear(Reply.Count.class).count()).isEqualTo(1);
    client.say(3, new Request.DropSnapshot("night"));
    assertThat(client.hear(Reply.Count.class).count()).isEqualTo(1);
    client.say(
        4, new Request.CountRange(new Step(1, atNight, List.of(), true), index, KeyRange.ALL));
    assertThat(client.hear(Reply.Failure.class).code())
        .isEqualTo(ErrorCode.UNKNOWN_SNAPSHOT.number());
  }
}
