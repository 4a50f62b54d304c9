package io.canopygrid.server.endpoint.netty;

import io.canopygrid.GridId;
import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.endpoint.TestClient;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The messages of well-behaved clients, which {@link PipelineFuzz} mutates. */
final class Conversations {
  private static final byte[] KEY = {(byte) 0x80, 0, 0, 1};
  private static final int CURSOR = 77;
  private static final CommitId COMMIT = new CommitId(TestClient.CLIENT, 1_790_000_000_000L, 1, 3);

  /** A TLS 1.2 record with the beginning of a ClientHello. */
  private static final byte[] CLIENT_HELLO = {
    0x16, 3, 1, 0, 47, 1, 0, 0, 43, 3, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 0, 0, 4, 0x13, 1, 0x13, 2, 1, 0
  };

  private final SplittableRandom random;
  private static final List<Step.Mode> MODES = List.of(Step.Mode.values());

  private final int index;
  private final GridId grid;
  private final VectorClock seen;
  private final byte[] hello = WireCodec.encode(0, hello());
  private final List<byte[]> frames = new ArrayList<>();
  private final List<byte[]> requests = new ArrayList<>();

  /**
   * Creates conversations of these frames and requests.
   *
   * @param index the number of an index that is there
   * @param grid the node's
   * @param seen a clock of that grid
   */
  Conversations(SplittableRandom random, int index, GridId grid, VectorClock seen) {
    this.random = random;
    this.grid = grid;
    this.seen = seen;
    this.index = index;
    List<ClientMessage> messages = messages(index);
    for (int i = 0; i < messages.size(); i++) {
      frames.add(WireCodec.encode(streamOf(messages.get(i), i), messages.get(i)));
    }
    http().forEach(text -> requests.add(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static int streamOf(ClientMessage message, int otherwise) {
    boolean ofCursor =
        message instanceof Request.Scan
            || message instanceof Request.More
            || message instanceof Request.CloseCursor;
    return ofCursor ? CURSOR : otherwise;
  }

  private static Request.Hello hello() {
    return new Request.Hello(2, 2, 0, TestClient.CLIENT, "fuzz");
  }

  private List<ClientMessage> messages(int index) {
    List<ClientMessage> all = new ArrayList<>(ofConnections(index));
    all.add(helloOf(grid));
    all.add(helloOf(new GridId(1, 2)));
    all.addAll(ofTransactions(index));
    return all;
  }

  private static List<ClientMessage> ofConnections(int index) {
    return List.of(
        hello(),
        new Request.Authenticate(
            "SCRAM-SHA-256", "n,,n=ada,r=abcdefgh".getBytes(StandardCharsets.US_ASCII)),
        new Request.Authenticate(
            "SCRAM-SHA-256", "c=biws,r=abcdefgh,p=AAAA".getBytes(StandardCharsets.US_ASCII)),
        new ClientMessage.Ping(3),
        new ClientMessage.Pong(3),
        new Request.OpenIndex("things", "int32", "bytes", true, 1_024),
        new Request.OpenIndex("", "", "", false, 1_024),
        new Request.AskRoutes(index, 0),
        new Request.AskCluster(),
        new Request.AskStats(),
        new Request.ListIndexes(),
        new Request.ListSnapshots(),
        new Request.ListUsers(),
        new Request.TakeSnapshot("night"),
        new Request.DropSnapshot("night"),
        new Request.PutUser(
            "rita",
            new Request.Credential(new byte[16], 4_096, new byte[32], new byte[32]),
            List.of(new Request.Grant("things", "reader"))),
        new Request.PutUser("rita", null, List.of(new Request.Grant("", "admin"))),
        new Request.RemoveUser("rita"),
        new Request.LookUp(COMMIT),
        new ClientMessage.Goodbye(4002, "bye"));
  }

  private static List<ClientMessage> ofTransactions(int index) {
    Step.Write put = new Step.Write(index, KEY, new byte[10]);
    Step.Write remove = new Step.Write(index, KEY, null);
    Step update = TestClient.first(1, Step.Mode.UPDATE, put, remove);
    return List.of(
        new Request.Get(TestClient.only(1), index, KEY),
        new Request.Get(TestClient.first(1, Step.Mode.UPDATE), index, KEY),
        new Request.Get(TestClient.next(1), index, KEY),
        new Request.Stage(TestClient.first(1, Step.Mode.SERIALIZABLE, put)),
        new Request.Stage(TestClient.next(1, remove)),
        new Request.Commit(update, COMMIT, List.of(COMMIT)),
        new Request.Commit(TestClient.next(1, put), null, List.of()),
        new Request.Scan(TestClient.only(2), index, KeyRange.ALL, false, false, 100, 10, 1_000, 2),
        new Request.Scan(TestClient.next(1), index, KeyRange.ALL, true, true, 7, 1, 1, 1),
        new Request.More(TestClient.next(2), 3),
        new Request.CloseCursor(),
        new Request.CountRange(TestClient.only(3), index, KeyRange.ALL),
        new Request.RemoveRange(update, index, KeyRange.ALL),
        execute(SteppedNode.FUNCTION, new Request.Place(index, KEY)),
        execute(SteppedNode.FUNCTION, null),
        execute("nothing", new Request.Place(index, KEY)),
        new Request.End(1));
  }

  private static Request.Execute execute(String function, Request.@Nullable Place place) {
    return new Request.Execute(
        TestClient.begin(Step.Mode.UPDATE), 3, function, place, KEY, COMMIT, List.of());
  }

  private static List<String> http() {
    return List.of(
        "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\nGET /health/live HTTP/1.1\r\n\r\n",
        "GET /health/live?a=%41%zz HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD http://a HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD /other HTTP/1.0\r\n\r\n",
        "GET /%2e%2e/%00 HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(200) + "\r\n\r\n",
        "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: v\r\n\r\n",
        "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n",
        "GET /api/v1/indexes HTTP/1.1\r\nHost: ::1\r\n\r\n",
        "GET /api/v1/indexes/things/changes?limit=1 HTTP/1.1\r\nHost: ::1\r\n\r\n",
        "GET /api/v1/indexes/a/changes HTTP/1.1\r\nAccept: text/event-stream\r\n\r\n",
        "GET /api/v1/indexes HTTP/1.1\r\nHost: a\r\nAuthorization: Basic YTpi\r\n\r\n",
        "PUT /api/v1/indexes/a/entries/1 HTTP/1.0\r\nContent-Length: 11\r\n"
            + "Content-Type: application/json\r\n\r\n{\"value\":1}",
        "PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n");
  }

  private static Request.Hello helloOf(GridId grid) {
    return new Request.Hello(2, 2, 0, TestClient.CLIENT, "fuzz", grid);
  }

  /** A client of this grid, or of another one, that brings clocks, most of them forged. */
  private byte[] ofOtherLives(int most) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(WireCodec.encode(0, helloOf(random.nextInt(8) == 0 ? new GridId(1, 2) : grid)));
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      Step.Begin begin =
          new Step.Begin(
              MODES.get(random.nextInt(MODES.size())),
              ReadFrom.PRIMARY,
              // A clock of the next topologies is waited for.
              2,
              "",
              random.nextInt(8) == 0 ? "night" : "",
              clock());
      Step step = new Step(i, begin, List.of(), false);
      Request request =
          switch (random.nextInt(4)) {
            case 0 -> new Request.Get(step, index, KEY);
            case 1 -> new Request.Commit(step, COMMIT, List.of());
            case 2 -> new Request.Scan(step, index, KeyRange.ALL, false, false, 100, 10, 1_000, 2);
            default ->
                new Request.Execute(
                    begin,
                    3,
                    SteppedNode.FUNCTION,
                    new Request.Place(index, KEY),
                    KEY,
                    COMMIT,
                    List.of());
          };
      all.writeBytes(WireCodec.encode(streamOf(request, i), request));
    }
    return all.toByteArray();
  }

  private VectorClock clock() {
    VectorClock clock = seen;
    for (int more = random.nextInt(3); more > 0; more--) {
      int shard = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : random.nextInt(257);
      long above = random.nextLong(1, 1L << (1 + random.nextInt(62)));
      long number = random.nextBoolean() ? above : seen.get(shard) + above;
      clock = clock.join(VectorClock.ZERO.with(shard, Math.max(1, number)));
    }
    return clock;
  }

  /** One conversation. */
  byte[] next() {
    return switch (random.nextInt(13)) {
      case 10, 11, 12 -> ofOtherLives(3);
      case 0, 1, 2 -> http(1 + random.nextInt(3));
      case 3 -> random.nextBoolean() ? CLIENT_HELLO.clone() : frames(false, 3);
      default -> frames(true, 6);
    };
  }

  private byte[] http(int most) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < most; i++) {
      all.writeBytes(requests.get(random.nextInt(requests.size())));
    }
    return all.toByteArray();
  }

  private byte[] frames(boolean greeted, int most) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    if (greeted) {
      all.writeBytes(hello);
    }
    for (int i = random.nextInt(most) + 1; i > 0; i--) {
      all.writeBytes(frames.get(random.nextInt(frames.size())));
    }
    return all.toByteArray();
  }

  /** The parts of conversations that are put in elsewhere. */
  List<byte[]> parts() {
    List<byte[]> parts = new ArrayList<>(frames);
    parts.addAll(requests);
    parts.add(CLIENT_HELLO);
    return parts;
  }
}
