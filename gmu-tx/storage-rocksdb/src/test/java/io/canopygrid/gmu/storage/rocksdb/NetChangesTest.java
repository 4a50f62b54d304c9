package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * An engine with changes over it is what it is once it has taken them. Things that are gone before
 * they come to the engine leave nothing there to be deleted.
 */
final class NetChangesTest {
  private static final int SHARDS = 3;
  private static final int NUMBERS = 20;
  private static final int CHANGES = 40;
  private static final NodeId NODE = new NodeId(-7);
  private static final CompositeKey KEY = CompositeKey.of(1, new byte[] {1});

  @TempDir Path temporary;

  private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);

  @Test
  void whatIsReadOverAnEngineIsWhatItHasAfterwards() throws RocksDBException {
    try (RocksEngine engine = engine()) {
      Random random = new Random(1);
      for (int round = 0; round < 200; round++) {
        NetChanges net = new NetChanges();
        for (int i = 0; i < CHANGES; i++) {
          change(net, random);
        }
        ChangedEngine changed = new ChangedEngine(engine, net);
        assertThat(read(changed)).as("round %d", round).isEqualTo(lines(model));
        int shard = random.nextInt(SHARDS);
        byte[] from = ShardKeys.firstOf(shard);
        byte[] to = ShardKeys.firstOf(shard + 1);
        assertThat(read(changed, from, to))
            .as("round %d shard %d", round, shard)
            .isEqualTo(lines(model.subMap(from, to)));
        store(net, engine);
        assertThat(read(new ChangedEngine(engine, new NetChanges()))).isEqualTo(lines(model));
      }
    }
  }

  private RocksEngine engine() {
    return RocksEngine.open(
        temporary.resolve("engine"), EngineLimits.DEFAULT, true, new EngineFailures(temporary));
  }

  private static void store(NetChanges net, RocksEngine engine) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      net.writeTo(batch, engine);
      engine.write(batch);
    }
  }

  private void change(NetChanges net, Random random) {
    int shard = random.nextInt(SHARDS);
    long number = random.nextInt(NUMBERS);
    CompositeKey key = CompositeKey.of(-1, new byte[] {(byte) (100 + random.nextInt(60))});
    TxId tid = new TxId(NODE, number);
    byte[] bytes = ShardKeys.ofVersion(shard, key, number, tid);
    switch (random.nextInt(16)) {
      case 0 -> {
        net.dropShard(shard);
        model.subMap(ShardKeys.firstOf(shard), ShardKeys.firstOf(shard + 1)).clear();
      }
      case 1, 2, 3, 4, 5, 6 -> {
        net.of(shard).drop(new StorageChange.DropVersion(shard, key, number, tid), true);
        model.remove(bytes);
      }
      default -> {
        byte[] value = {(byte) random.nextInt(100)};
        StorageChange.PutVersion put =
            new StorageChange.PutVersion(shard, key, number, tid, tid, value);
        net.of(shard).put(put);
        model.put(bytes, VersionBytes.of(put));
      }
    }
  }

  private static List<String> lines(Map<byte[], byte[]> content) {
    List<String> lines = new ArrayList<>();
    content.forEach((key, value) -> lines.add(line(key, value)));
    return lines;
  }

  private static String line(byte[] key, byte[] value) {
    return Arrays.toString(key) + "=" + Arrays.toString(value);
  }

  private static List<String> read(ContentCheck.Source source) throws RocksDBException {
    List<String> lines = new ArrayList<>();
    source.read(Family.DATA, (key, value) -> lines.add(line(key, value)));
    return lines;
  }

  private static List<String> read(ContentCheck.Source source, byte[] from, byte[] to)
      throws RocksDBException {
    List<String> lines = new ArrayList<>();
    source.read(Family.DATA, from, to, (key, value) -> lines.add(line(key, value)));
    return lines;
  }

  /** All that a transaction has, put and then dropped. */
  private static List<StorageChange> transaction(long number) {
    TxId tid = new TxId(NODE, number);
    Decision decision =
        new Decision(tid, VectorClock.ZERO, List.of(1), VectorClock.ZERO, List.of());
    return List.of(
        new StorageChange.PutDecision(decision),
        new StorageChange.PutVersion(1, KEY, number, tid, tid, new byte[] {1}),
        new StorageChange.PutLog(1, number, tid, VectorClock.ZERO),
        new StorageChange.DropRecord(1, tid),
        new StorageChange.DropDecision(tid),
        new StorageChange.DropVersion(1, KEY, number, tid),
        new StorageChange.DropLog(1, number, tid));
  }

  private static NetChanges net(ChangeWriter writer, List<StorageChange> changes) {
    NetChanges net = new NetChanges();
    changes.forEach(change -> writer.write(change, net));
    return net;
  }

  private static List<NetEntry> entries(NetChanges net) {
    List<NetEntry> entries = new ArrayList<>();
    for (Family family : Family.values()) {
      entries.addAll(net.entries(family));
    }
    return entries;
  }

  @Test
  void whatTheEngineNeverHadIsNotDeleted() {
    ChangeWriter writer = new ChangeWriter(new Facts(), new DecisionRanges());
    assertThat(entries(net(writer, transaction(5)))).as("it may have all").hasSize(4);
    writer.learn(Recovered.NOTHING);
    assertThat(entries(net(writer, transaction(5)))).isEmpty();
    writer.follow(net(writer, transaction(9).subList(0, 3)));
    assertThat(entries(net(writer, transaction(9))))
        .as("it has got these")
        .hasSize(4)
        .allSatisfy(entry -> assertThat(entry.value()).isNull());
    assertThat(entries(net(writer, transaction(10)))).as("these are above").isEmpty();
  }

  @Test
  void aMarkDeletesOnlyDecisionsThatTheEngineHas() {
    ChangeWriter writer = new ChangeWriter(new Facts(), new DecisionRanges());
    writer.learn(Recovered.NOTHING);
    StorageChange mark = new StorageChange.PutMark(NODE, 7);
    NetChanges gone = net(writer, List.of(transaction(5).get(0), mark));
    assertThat(gone.entries(Family.TX)).isEmpty();
    assertThat(gone.deleted()).isEmpty();
    writer.follow(net(writer, transaction(6).subList(0, 1)));
    assertThat(net(writer, List.of(mark)).deleted())
        .singleElement()
        .satisfies(range ->
            assertThat(range.has(Family.TX, TxKeys.ofDecision(new TxId(NODE, 6)))).isTrue());
  }

  @Test
  void theMemoryThatIsTakenIsThatOfWhatIsLeft() {
    NetChanges net = new NetChanges();
    TxId tid = new TxId(NODE, 1);
    net.of(1).put(new StorageChange.PutVersion(1, KEY, 1, tid, tid, new byte[10_000]));
    net.of(1).put(new StorageChange.PutVersion(1, KEY, 1, tid, tid, new byte[20_000]));
    assertThat(net.bytes()).isBetween(20_000L, 21_000L);
    net.of(1).drop(new StorageChange.DropVersion(1, KEY, 1, tid), true);
    assertThat(net.bytes()).isBetween(1L, 1_000L);
    net.of(1).drop(new StorageChange.DropVersion(1, KEY, 1, tid), false);
    assertThat(net.bytes()).isZero();
  }
}
