package io.canopygrid.wire.client;

import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.stats.Latency;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The messages about what there is: indexes, snapshots, members, places, counts. */
final class CatalogCodec {
  /** By their number on the wire. */
  private static final List<Request.Dropped> DROPPED = List.of(Request.Dropped.values());

  /** By their numbers: {@link ErrorCode#find} makes many texts, which frames can ask for often. */
  private static final Map<Integer, ErrorCode> CODES =
      Arrays.stream(ErrorCode.values())
          .collect(Collectors.toUnmodifiableMap(ErrorCode::number, code -> code));

  private CatalogCodec() {}

  static void write(ByteWriter out, Request.OpenIndex m) {
    out.writeText(m.name()).writeText(m.keyCodec()).writeText(m.valueCodec());
    Parts.writeFlag(out, m.create());
    out.writeVarLong(m.subtreeEntriesMax());
  }

  static Request.OpenIndex readOpenIndex(ByteReader in) {
    String name = Parts.readName(in);
    String keyCodec = Parts.readName(in);
    String valueCodec = Parts.readName(in);
    boolean create = Parts.readFlag(in);
    return new Request.OpenIndex(name, keyCodec, valueCodec, create, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.FindDropped m) {
    out.writeText(m.name());
  }

  static Request.FindDropped readFindDropped(ByteReader in) {
    return new Request.FindDropped(Parts.readName(in));
  }

  static void write(ByteWriter out, Request.Leave m) {
    out.writeText(m.node());
    Parts.writeFlag(out, m.abandons());
  }

  static Request.Leave readLeave(ByteReader in) {
    String node = Parts.readName(in);
    return new Request.Leave(node, Parts.readFlag(in));
  }

  static void write(ByteWriter out, Request.Drop m) {
    out.writeByte(DROPPED.indexOf(m.what())).writeText(m.name()).writeVarLong(m.upTo());
  }

  static Request.Drop readDrop(ByteReader in) {
    Request.Dropped what = DROPPED.get(Parts.choice(in, DROPPED.size()));
    String name = Parts.readName(in);
    return new Request.Drop(what, name, Parts.readInt(in));
  }

  static void write(ByteWriter out, Request.TakeSnapshot m) {
    out.writeText(m.name());
  }

  static Request.TakeSnapshot readTakeSnapshot(ByteReader in) {
    return new Request.TakeSnapshot(Parts.readName(in));
  }

  static void write(ByteWriter out, Request.DropSnapshot m) {
    out.writeText(m.name());
  }

  static Request.DropSnapshot readDropSnapshot(ByteReader in) {
    return new Request.DropSnapshot(Parts.readName(in));
  }

  static void write(ByteWriter out, Reply.IndexOpened m) {
    out.writeVarLong(m.index()).writeText(m.name());
    out.writeText(m.keyCodec()).writeText(m.valueCodec());
    out.writeVarLong(m.subtreeEntriesMax());
  }

  static Reply.IndexOpened readIndexOpened(ByteReader in) {
    int index = Parts.readInt(in);
    String name = Parts.readName(in);
    String keyCodec = Parts.readName(in);
    String valueCodec = Parts.readName(in);
    return new Reply.IndexOpened(index, name, keyCodec, valueCodec, Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.Indexes m) {
    Parts.writeList(out, m.indexes(), CatalogCodec::write);
  }

  static Reply.Indexes readIndexes(ByteReader in) {
    return new Reply.Indexes(Parts.readList(in, 6, CatalogCodec::readIndexOpened));
  }

  static void write(ByteWriter out, Reply.Snapshots m) {
    Parts.writeList(
        out,
        m.snapshots(),
        (o, snapshot) -> o.writeText(snapshot.name()).writeLong(snapshot.taken().toEpochMilli()));
  }

  static Reply.Snapshots readSnapshots(ByteReader in) {
    return new Reply.Snapshots(Parts.readList(in, 9, CatalogCodec::readSnapshot));
  }

  private static NamedSnapshot readSnapshot(ByteReader in) {
    String name = Parts.readName(in);
    return new NamedSnapshot(name, Instant.ofEpochMilli(in.readLong()));
  }

  static void write(ByteWriter out, Reply.Cluster m) {
    out.writeVarLong(m.topology());
    Parts.writeList(
        out,
        m.members(),
        (o, member) -> {
          o.writeText(member.node()).writeText(member.address());
          o.writeVarLong(member.primaryShards()).writeVarLong(member.ownedShards());
        });
  }

  static Reply.Cluster readCluster(ByteReader in) {
    long topology = Parts.readLong(in);
    return new Reply.Cluster(topology, Parts.readList(in, 4, CatalogCodec::readMember));
  }

  private static Reply.Member readMember(ByteReader in) {
    String node = Parts.readName(in);
    String address = Parts.readName(in);
    int primaryShards = Parts.readInt(in);
    return new Reply.Member(node, address, primaryShards, Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.Routes m) {
    out.writeLong(m.version());
    Parts.writeList(out, m.addresses(), ByteWriter::writeText);
    Parts.writeList(
        out,
        m.routes(),
        (o, route) ->
            o.writeBytes(route.from()).writeVarLong(route.address()).writeVarLong(route.shard()));
  }

  static Reply.Routes readRoutes(ByteReader in) {
    long version = in.readLong();
    List<String> addresses = Parts.readList(in, 1, Parts::readName);
    return new Reply.Routes(
        version, addresses, Parts.readList(in, 3, i -> readRoute(i, addresses.size())));
  }

  private static Reply.Route readRoute(ByteReader in, int addresses) {
    byte[] from = in.readBytes();
    int address = in.readCount(addresses - 1);
    return new Reply.Route(from, address, Parts.readInt(in));
  }

  static void write(ByteWriter out, Reply.Stats m) {
    CanopyStats stats = m.stats();
    write(out, stats.total());
    writeMap(out, stats.byLabel(), CatalogCodec::write);
    writeMap(out, stats.byIndex(), CatalogCodec::write);
  }

  static Reply.Stats readStats(ByteReader in) {
    TransactionStats total = readTransactionStats(in);
    Map<String, TransactionStats> byLabel = readMap(in, CatalogCodec::readTransactionStats);
    return new Reply.Stats(
        new CanopyStats(total, byLabel, readMap(in, CatalogCodec::readIndexStats)));
  }

  private static <T> void writeMap(
      ByteWriter out, Map<String, T> map, BiConsumer<ByteWriter, T> writer) {
    Parts.writeList(
        out,
        List.copyOf(new TreeMap<>(map).entrySet()),
        (o, entry) -> {
          o.writeText(entry.getKey());
          writer.accept(o, entry.getValue());
        });
  }

  private static <T> Map<String, T> readMap(ByteReader in, Function<ByteReader, T> reader) {
    Map<String, T> map = new TreeMap<>();
    int size = in.readCount(in.remaining() / 2);
    for (int i = 0; i < size; i++) {
      String name = Parts.readName(in);
      map.put(name, reader.apply(in));
    }
    return map;
  }

  private static void write(ByteWriter out, TransactionStats stats) {
    out.writeVarLong(stats.commits());
    writeAborts(out, stats.aborts());
    out.writeVarLong(stats.attempts()).writeVarLong(stats.remoteRequests());
    out.writeVarLong(stats.redirects());
    Latency latency = stats.latency();
    out.writeVarLong(latency.count()).writeVarLong(latency.p50Nanos());
    out.writeVarLong(latency.p95Nanos()).writeVarLong(latency.p99Nanos());
    out.writeVarLong(latency.maxNanos());
  }

  private static TransactionStats readTransactionStats(ByteReader in) {
    long commits = Parts.readLong(in);
    Map<ErrorCode, Long> aborts = readAborts(in);
    long attempts = Parts.readLong(in);
    long remoteRequests = Parts.readLong(in);
    long redirects = Parts.readLong(in);
    return new TransactionStats(
        commits, aborts, attempts, remoteRequests, redirects, readLatency(in));
  }

  private static Latency readLatency(ByteReader in) {
    long count = Parts.readLong(in);
    long p50Nanos = Parts.readLong(in);
    long p95Nanos = Parts.readLong(in);
    long p99Nanos = Parts.readLong(in);
    return new Latency(count, p50Nanos, p95Nanos, p99Nanos, Parts.readLong(in));
  }

  private static void write(ByteWriter out, IndexStats stats) {
    out.writeVarLong(stats.commits());
    writeAborts(out, stats.aborts());
    out.writeVarLong(stats.remoteRequests()).writeVarLong(stats.redirects());
    out.writeVarLong(stats.splits());
  }

  private static IndexStats readIndexStats(ByteReader in) {
    long commits = Parts.readLong(in);
    Map<ErrorCode, Long> aborts = readAborts(in);
    long remoteRequests = Parts.readLong(in);
    long redirects = Parts.readLong(in);
    return new IndexStats(commits, aborts, remoteRequests, redirects, Parts.readLong(in));
  }

  private static void writeAborts(ByteWriter out, Map<ErrorCode, Long> aborts) {
    Map<ErrorCode, Long> sorted = new TreeMap<>(aborts);
    Parts.writeList(
        out,
        List.copyOf(sorted.entrySet()),
        (o, entry) -> o.writeVarLong(entry.getKey().number()).writeVarLong(entry.getValue()));
  }

  /** Codes of a newer release count as {@link ErrorCode#INTERNAL_ERROR}. */
  private static Map<ErrorCode, Long> readAborts(ByteReader in) {
    Map<ErrorCode, Long> aborts = new EnumMap<>(ErrorCode.class);
    int size = in.readCount(in.remaining() / 2);
    for (int i = 0; i < size; i++) {
      ErrorCode code = CODES.getOrDefault(Parts.readInt(in), ErrorCode.INTERNAL_ERROR);
      aborts.merge(code, Parts.readLong(in), Long::sum);
    }
    return aborts;
  }
}
