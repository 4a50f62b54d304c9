package io.canopygrid.wire.client;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyStats;
import io.canopygrid.CommitState;
import io.canopygrid.CutOff;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexClone;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.ReadFrom;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedCommitBytes;
import io.canopygrid.stats.Latency;
import io.canopygrid.wire.CommitId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** At least one message of each type, with what is optional there and not there. */
final class Samples {
  private static final UUID CLIENT = new UUID(0x0123456789ABCDEFL, 0xFEDCBA9876543210L);
  private static final GridId GRID = new GridId(0x0123456789abcdefL, 0xfedcba9876543210L);
  private static final CommitId COMMIT = new CommitId(CLIENT, 1_790_000_000_000L, 300, 17);
  private static final VectorClock CLOCK =
      VectorClock.of(new int[] {0, 3, 256}, new long[] {1, 200, 1L << 40});
  private static final Step.Begin BEGIN =
      new Step.Begin(Step.Mode.UPDATE, ReadFrom.PRIMARY, 10_000, "transfer", "", CLOCK);
  private static final Step.Begin AT_NIGHT =
      new Step.Begin(Step.Mode.READ_ONLY, ReadFrom.NEAREST, 1, "", "night", VectorClock.ZERO);
  private static final List<Step.Write> WRITES =
      List.of(
          new Step.Write(1, bytes("k"), bytes("value")),
          new Step.Write(1, bytes("gone"), null),
          new Step.Write(300, new byte[0], new byte[0]));
  private static final Step PLAIN = new Step(7, null, List.of(), false);
  private static final Step FULL = new Step(8, BEGIN, WRITES, false);
  private static final Step LOOK = new Step(-1, AT_NIGHT, List.of(), true);
  private static final Reply.Seen SEEN = new Reply.Seen(true, CLOCK);

  private Samples() {}

  /** The messages by name; the stream of each is its place, from 0. */
  static Map<String, ClientMessage> all() {
    Map<String, ClientMessage> all = new LinkedHashMap<>();
    connection(all);
    requests(all);
    transactions(all);
    replies(all);
    users(all);
    functions(all);
    structure(all);
    state(all);
    drops(all);
    disks(all);
    all.put("Leave", new Request.Leave("vm3", true));
    all.put("GetDefinitions", new Request.GetDefinitions(PLAIN, 4, 300));
    tokens(all);
    traces(all);
    feeds(all);
    clones(all);
    work(all);
    prepared(all);
    return all;
  }

  private static void work(Map<String, ClientMessage> all) {
    all.put("AskHotEntries", new Request.AskHotEntries(0));
    all.put("AskHotEntries of an index", new Request.AskHotEntries(300));
    all.put(
        "HotEntries",
        new Reply.HotEntries(
            List.of(
                new HotNode("n1", HotNode.Mode.ON, 1, 0, 0, 1L << 40),
                new HotNode("n2", HotNode.Mode.ON, 0, 1, 12_345, 0),
                new HotNode("n3", HotNode.Mode.OFF, 0, 0, 0, 0)),
            List.of(
                new HotEntry(7, bytes("k"), "n1", 1_234.567, 1_000.5, List.of("n2", "n3")),
                new HotEntry(300, bytes("l"), "n2", 0, 0, List.of())),
            2));
    all.put(
        "HotEntries, off",
        new Reply.HotEntries(
            List.of(new HotNode("n1", HotNode.Mode.OFF, 0, 0, 0, 0)), List.of(), 0));
    all.put("AskWork", new Request.AskWork());
    all.put(
        "Work",
        new Reply.Work(
            List.of(
                new RunningJob("load", "accounts", 1L << 40, 1L << 41),
                new RunningJob("backup", "", 3, 0)),
            90_000,
            "a transaction 'report'"));
    all.put("Work, none", new Reply.Work(List.of(), 0, ""));
  }

  private static void prepared(Map<String, ClientMessage> all) {
    BranchId id = BranchId.of(131_077, bytes("global"), bytes("branch"));
    all.put("ListPrepared", new Request.ListPrepared());
    all.put("ResolvePrepared to commit", new Request.ResolvePrepared(id, true));
    all.put(
        "ResolvePrepared to roll back",
        new Request.ResolvePrepared(BranchId.of(-2, bytes("g"), new byte[0]), false));
    Instant since = Instant.ofEpochMilli(1_790_000_000_000L);
    all.put(
        "Prepared",
        new Reply.Prepared(
            List.of(
                new PreparedTransaction(
                    id,
                    PreparedTransaction.State.IN_DOUBT,
                    since,
                    "transfer",
                    List.of("accounts", "orders"),
                    3),
                new PreparedTransaction(
                    BranchId.of(1, bytes("g"), new byte[0]),
                    PreparedTransaction.State.ROLLED_BACK_BY_HAND,
                    since,
                    "",
                    List.of("accounts"),
                    1))));
  }

  private static void clones(Map<String, ClientMessage> all) {
    all.put("MakeClone of the present", new Request.MakeClone("trial", "accounts", ""));
    all.put("MakeClone at a snapshot", new Request.MakeClone("trial", "accounts", "night"));
    all.put("MakeClone as of a time", new Request.MakeClone("trial", "accounts", "@1790000000000"));
    all.put("ListClones", new Request.ListClones());
    all.put("FlattenClone", new Request.FlattenClone("trial", 0));
    all.put("FlattenClone again", new Request.FlattenClone("trial", 7));
    Instant of = Instant.ofEpochMilli(1_790_000_000_000L);
    all.put(
        "Clones",
        new Reply.Clones(
            List.of(
                new IndexClone("trial", "accounts", of, 1),
                new IndexClone("two", "trial", of, 8))));
    all.put("Flattened in part", new Reply.Flattened(7, 500, false));
    all.put("Flattened", new Reply.Flattened(7, 0, true));
  }

  private static void feeds(Map<String, ClientMessage> all) {
    KeyRange range = KeyRange.of(bytes("a"), bytes("b"));
    Request.Told told = new Request.Told(GRID, CLOCK);
    all.put("ReadChanges from now", new Request.ReadChanges(0, 300, KeyRange.ALL, "", null, 0, 0));
    all.put(
        "ReadChanges since a snapshot", new Request.ReadChanges(0, 1, range, "night", null, 0, 0));
    all.put(
        "ReadChanges after a clock",
        new Request.ReadChanges(1L << 62, 1, range, "", told, 2, 1 << 20));
    all.put(
        "ReadChanges after nothing",
        new Request.ReadChanges(
            1, 1, KeyRange.ALL, "", new Request.Told(null, VectorClock.ZERO), 0, 1));
    all.put("CloseFeed", new Request.CloseFeed(1L << 62));
    byte[] commit =
        FeedCommitBytes.encode(
            new FeedCommit(
                List.of(
                    new FeedCommit.Changed(bytes("k"), null, bytes("inserted")),
                    new FeedCommit.Changed(bytes("l"), bytes("removed"), null),
                    new FeedCommit.Changed(bytes("m"), new byte[0], bytes("updated")))));
    all.put(
        "FeedChanges",
        new Reply.FeedChanges(
            1L << 62, true, true, false, VectorClock.ZERO, List.of(commit, bytes("begins"))));
    all.put(
        "FeedChanges, the last part",
        new Reply.FeedChanges(7, false, false, true, CLOCK, List.of(bytes("ends"))));
  }

  private static void traces(Map<String, ClientMessage> all) {
    String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    VectorClock token = VectorClock.of(new int[] {3}, new long[] {150});
    for (Step.Mode mode : Step.Mode.values()) {
      for (VectorClock told : List.of(VectorClock.ZERO, token)) {
        Step.Begin begin =
            new Step.Begin(mode, ReadFrom.PRIMARY, 1, "", "", VectorClock.ZERO, told, parent);
        all.put(
            "Get in a trace, " + mode + (told.size() > 0 ? ", after a token" : ""),
            new Request.Get(new Step(7, begin, List.of(), false), 1, bytes("k")));
      }
    }
  }

  private static void tokens(Map<String, ClientMessage> all) {
    VectorClock token = VectorClock.of(new int[] {3, 4}, new long[] {150, 1});
    for (Step.Mode mode : Step.Mode.values()) {
      Step.Begin begin = new Step.Begin(mode, ReadFrom.NEAREST, 1, "", "", CLOCK, token, "");
      all.put(
          "Get after a token, " + mode,
          new Request.Get(new Step(7, begin, List.of(), false), 1, bytes("k")));
    }
  }

  private static void disks(Map<String, ClientMessage> all) {
    all.put("AskZones", new Request.AskZones());
    all.put(
        "Zones",
        new Reply.Zones(
            "2 of 16 shards",
            List.of(new Reply.NodeZone("n1", "a"), new Reply.NodeZone("n2", "east/b7"))));
    all.put("Zones, none", new Reply.Zones("", List.of()));
    all.put("AskDisks", new Request.AskDisks());
    all.put(
        "Disks",
        new Reply.Disks(
            List.of(
                new Reply.NodeDisk("n1", null, 0, 0),
                new Reply.NodeDisk("n2", Durability.ASYNC, 1L << 40, 1L << 39),
                new Reply.NodeDisk("n3", Durability.FSYNC, 0, 0))));
  }

  private static void drops(Map<String, ClientMessage> all) {
    all.put("FindDropped", new Request.FindDropped("accounts"));
    all.put("Drop", new Request.Drop(Request.Dropped.INDEX, "accounts", 7));
    all.put("Drop of a table", new Request.Drop(Request.Dropped.TABLE, "folks", 300));
    all.put("Drop of entries", new Request.Drop(Request.Dropped.ENTRIES, "folks.index.2", 12));
  }

  private static void state(Map<String, ClientMessage> all) {
    all.put("AskStatus", new Request.AskStatus());
    Reply.NodeStatus there =
        new Reply.NodeStatus(
            "n1",
            "vm1",
            "0.1.0",
            "vm1:11444",
            "10.0.0.1:7800",
            true,
            true,
            90_000,
            1L << 29,
            1L << 30,
            128,
            170);
    Reply.NodeStatus gone =
        new Reply.NodeStatus("n2", "vm2", "", "", "10.0.0.2:7800", false, false, 0, 0, 0, 128, 171);
    all.put(
        "Status",
        new Reply.Status(
            "n1",
            12,
            256,
            2,
            false,
            1,
            List.of(there, gone),
            List.of(
                new Reply.IndexSize("accounts", 60_000, false),
                new Reply.IndexSize("orders", 0, true))));
  }

  private static void functions(Map<String, ClientMessage> all) {
    all.put(
        "execute",
        new Request.Execute(
            BEGIN,
            50,
            "canopy.add",
            new Request.Place(5, bytes("k")),
            bytes("arguments"),
            COMMIT,
            List.of(COMMIT)));
    all.put(
        "execute-anywhere",
        new Request.Execute(BEGIN, 1, "f", null, new byte[0], COMMIT, List.of()));
    all.put("result", new Reply.Result(SEEN, bytes("result"), 3));
  }

  private static void connection(Map<String, ClientMessage> all) {
    all.put("ping", new ClientMessage.Ping(1));
    all.put("pong", new ClientMessage.Pong(-1));
    all.put("goodbye", new ClientMessage.Goodbye(4006, "idle for 60 s"));
    all.put("hello", new Request.Hello(2, 2, 0, CLIENT, "canopy-java 0.1.0", null));
    all.put("hello-again", new Request.Hello(2, 2, 0, CLIENT, "canopy-java 0.1.0", GRID));
    all.put("hello-of-version-1", new Request.Hello(1, 1, 0, CLIENT, "canopy-java 0.1.0"));
    all.put("authenticate", new Request.Authenticate("SCRAM-SHA-256", bytes("n,,n=ada,r=x")));
    all.put(
        "welcome",
        new Reply.Welcome(
            2,
            0,
            "n1a2b",
            "shop",
            new GridInfo(GRID, Instant.ofEpochMilli(1_780_000_000_000L)),
            1_790_000_000_000L,
            256,
            new Reply.Limits(8_462_336, 256, 256, 64, 67_108_864L, 300_000),
            List.of("SCRAM-SHA-256")));
    all.put("challenge", new Reply.Challenge(false, bytes("r=xy,s=QQ==,i=4096")));
    all.put("drain", new Reply.Drain(10_000));
  }

  private static void requests(Map<String, ClientMessage> all) {
    all.put("open-index", new Request.OpenIndex("accounts", "int64", "json", true, 1024));
    all.put("list-indexes", new Request.ListIndexes());
    all.put("take-snapshot", new Request.TakeSnapshot("night"));
    all.put("list-snapshots", new Request.ListSnapshots());
    all.put("drop-snapshot", new Request.DropSnapshot("night"));
    all.put("ask-stats", new Request.AskStats());
    all.put("ask-cluster", new Request.AskCluster());
    all.put("ask-routes", new Request.AskRoutes(5, 0x1122334455667788L));
    all.put("look-up", new Request.LookUp(COMMIT));
  }

  private static void users(Map<String, ClientMessage> all) {
    List<Request.Grant> grants =
        List.of(new Request.Grant("", "reader"), new Request.Grant("accounts", "writer"));
    all.put(
        "put-user",
        new Request.PutUser(
            "ada", new Request.Credential(bytes("salt"), 4096, bytes("s"), bytes("k")), grants));
    all.put("put-user-grants", new Request.PutUser("ada", null, List.of()));
    all.put("remove-user", new Request.RemoveUser("ada"));
    all.put("list-users", new Request.ListUsers());
    all.put("users", new Reply.Users(List.of(new Reply.User("ada", grants))));
  }

  private static void transactions(Map<String, ClientMessage> all) {
    all.put("get", new Request.Get(PLAIN, 1, bytes("k")));
    all.put("get-alone", new Request.Get(LOOK, 1, bytes("k")));
    all.put("get-after-writes", new Request.Get(FULL, 2, new byte[0]));
    all.put(
        "scan",
        new Request.Scan(
            FULL,
            1,
            KeyRange.of(bytes("a"), bytes("b")),
            true,
            false,
            Long.MAX_VALUE,
            1_000,
            65_536,
            1));
    all.put("scan-all", new Request.Scan(LOOK, 1, KeyRange.ALL, false, true, 10, 32, 1 << 20, 4));
    all.put("more", new Request.More(PLAIN, 2));
    all.put("close-cursor", new Request.CloseCursor());
    all.put("count-range", new Request.CountRange(PLAIN, 1, KeyRange.of(bytes("a"), null)));
    all.put("remove-range", new Request.RemoveRange(PLAIN, 1, KeyRange.EMPTY));
    all.put("stage", new Request.Stage(FULL));
    all.put("commit", new Request.Commit(FULL, COMMIT, List.of(COMMIT)));
    all.put("commit-unnamed", new Request.Commit(PLAIN, null, List.of()));
    all.put("end", new Request.End(-1));
  }

  private static void replies(Map<String, ClientMessage> all) {
    Reply.IndexOpened index = new Reply.IndexOpened(5, "accounts", "int64", "json", 1024);
    all.put("index-opened", index);
    all.put("indexes", new Reply.Indexes(List.of(index)));
    all.put(
        "snapshots",
        new Reply.Snapshots(
            List.of(new NamedSnapshot("night", Instant.ofEpochMilli(1_790_000_000_000L)))));
    all.put("stats", new Reply.Stats(stats()));
    all.put(
        "cluster",
        new Reply.Cluster(
            12,
            List.of(
                new Reply.Member("n1a2b", "vm1:11444", 128, 256),
                new Reply.Member("n3c4d", "", 128, 256))));
    all.put(
        "routes",
        new Reply.Routes(
            -2,
            List.of("vm1:11444", "[::1]:11444"),
            List.of(new Reply.Route(new byte[0], 0, 17), new Reply.Route(bytes("m"), 1, 255))));
    all.put("outcome", new Reply.Outcome(CommitState.COMMITTED, CLOCK, null));
    all.put("outcome-unknown", new Reply.Outcome(CommitState.UNKNOWN, VectorClock.ZERO, null));
    all.put(
        "outcome-of-function", new Reply.Outcome(CommitState.COMMITTED, CLOCK, bytes("result")));
    all.put("value", new Reply.Value(SEEN, bytes("value")));
    all.put("value-absent", new Reply.Value(Reply.Seen.NOTHING, null));
    all.put(
        "page",
        new Reply.Page(
            SEEN,
            false,
            List.of(
                new Reply.Entry(bytes("a"), bytes("1")), new Reply.Entry(bytes("b"), bytes("")))));
    all.put("page-last", new Reply.Page(Reply.Seen.NOTHING, true, List.of()));
    all.put("count", new Reply.Count(SEEN, 1_000_000));
    all.put("done", new Reply.Done(Reply.Seen.NOTHING));
    all.put(
        "failure",
        new Reply.Failure(
            ErrorCode.WRITE_CONFLICT.number(),
            true,
            CommitState.NOT_COMMITTED,
            "n1a2b-17",
            "key 1 of index 'accounts' was written by transaction n1:4 'transfer' after it was"
                + " read",
            List.of(
                new Reply.Fact("index", "accounts"),
                new Reply.Fact("key", "1"),
                new Reply.Fact("other", "transfer"))));
    all.put(
        "failure-plain",
        new Reply.Failure(
            ErrorCode.COMMIT_UNKNOWN.number(), false, CommitState.UNKNOWN, null, "", List.of()));
  }

  private static void structure(Map<String, ClientMessage> all) {
    all.put("ask-subtrees", new Request.AskSubtrees(1, bytes("k"), 1_000));
    all.put("ask-changes", new Request.AskChanges(1));
    all.put("ask-cut-off", new Request.AskCutOff(1, true, 16));
    all.put("reshape", new Request.Reshape(1, StructureChange.Kind.MOVE, bytes("k"), "n1a2b"));
    all.put(
        "subtrees",
        new Reply.Subtrees(
            true,
            List.of(
                new Subtree(new byte[0], "n1a2b", 17, 500, 16_000, 1_000.5, 20, List.of()),
                new Subtree(bytes("m"), "", 3, 0, 0, 0, 0, List.of(bytes("n"), bytes("p"))))));
    all.put(
        "changes",
        new Reply.Changes(
            List.of(
                new StructureChange(
                    StructureChange.Kind.SPLIT,
                    StructureChange.Reason.HOT,
                    StructureChange.State.RUNNING,
                    "n1a2b",
                    bytes("m"),
                    "n3c4d",
                    1_790_000_000_000L,
                    200,
                    1_000,
                    3_000,
                    400))));
    all.put("cut-off-is", new Reply.CutOffIs(new CutOff(24, 24, 8, false, true)));
  }

  private static CanopyStats stats() {
    CanopyStats.TransactionStats counts =
        new CanopyStats.TransactionStats(
            1_000,
            Map.of(ErrorCode.WRITE_CONFLICT, 3L, ErrorCode.TIMEOUT, 1L),
            1_004,
            77,
            2,
            new Latency(1_000, 50_000, 95_000, 99_000, 1_000_000));
    return new CanopyStats(
        counts,
        Map.of("", counts, "transfer", counts),
        Map.of(
            "accounts",
            new CanopyStats.IndexStats(9, Map.of(ErrorCode.LOCK_TIMEOUT, 1L), 5, 4, 3)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
