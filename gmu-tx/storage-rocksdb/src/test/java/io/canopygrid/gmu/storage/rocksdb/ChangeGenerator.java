package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps with random changes that can follow those before them. The same seed gives the same steps,
 * if the storage was reopened after the same ones.
 */
final class ChangeGenerator {
  private static final int[] SHARDS = {0, 1, 255, 256, ShardKeys.SHARDS_MAX - 1};
  private static final byte[] BYTES = {0x00, 0x01, (byte) 0xFF};
  private static final long[] WORDS = {1, 2, Long.MIN_VALUE, -1};
  private static final int CHANGES_MAX = 6;
  private static final int BLOB_BYTES = 20 << 10;

  private final long seed;
  private final TreeMap<Integer, Copy> copies = new TreeMap<>();
  private final List<TxId> decisions = new ArrayList<>();
  private long position;
  private Random random = new Random();

  private static final class Copy {
    boolean complete;
    final List<StorageChange.PutVersion> versions = new ArrayList<>();
    final List<StorageChange.PutLog> log = new ArrayList<>();
    final List<TxRecord> records = new ArrayList<>();
  }

  ChangeGenerator(long seed) {
    this.seed = seed;
  }

  /** The position of the last step. */
  long position() {
    return position;
  }

  /** The storage was opened again: copies that are not complete are gone. */
  void reopened() {
    copies.values().removeIf(copy -> !copy.complete);
  }

  List<StorageChange> next() {
    position++;
    random = new Random(seed * 1_000_003 + position);
    List<StorageChange> changes = new ArrayList<>();
    int size = random.nextInt(CHANGES_MAX + 1);
    for (int i = 0; i < size; i++) {
      changes.add(random.nextInt(4) == 0 ? ofNode() : ofCopy());
    }
    return changes;
  }

  private StorageChange ofNode() {
    return switch (random.nextInt(10)) {
      case 0 -> new StorageChange.PutTopology(topology(), over());
      case 1 -> new StorageChange.PutHorizon(clock());
      case 2 -> new StorageChange.PutPromise(random.nextInt(100));
      case 3 -> new StorageChange.PutUser(new NodeId(random.nextLong()));
      case 4 -> new StorageChange.PutMark(node(), random.nextInt(60));
      case 5 ->
          decisions.isEmpty()
              ? decision()
              : new StorageChange.DropDecision(decisions.remove(random.nextInt(decisions.size())));
      case 6 -> new StorageChange.PutInstalledByAll(random.nextInt(100));
      case 7 ->
          new StorageChange.PutCuts(Stream.generate(this::cut).limit(random.nextInt(3)).toList());
      default -> decision();
    };
  }

  private Cut cut() {
    return new Cut(1 + random.nextInt(100), clock().with(300, Cut.UNLIMITED));
  }

  private @Nullable List<Topology> over() {
    int kind = random.nextInt(4);
    return kind == 3 ? null : Stream.generate(this::topology).limit(kind).toList();
  }

  private StorageChange decision() {
    TxId tid = tid();
    decisions.add(tid);
    return new StorageChange.PutDecision(
        new Decision(
            tid,
            random.nextInt(4) == 0 ? null : clock(),
            List.of(1, 2),
            clock(),
            random.nextBoolean() ? List.of() : List.of(rec(1, tid))));
  }

  private StorageChange ofCopy() {
    int shard = SHARDS[random.nextInt(SHARDS.length)];
    Copy copy = copies.get(shard);
    int kind = random.nextInt(100);
    if (copy == null || kind == 0) {
      copies.put(shard, new Copy());
      return new StorageChange.BeginCopy(shard);
    }
    if (kind == 1) {
      copies.remove(shard);
      return new StorageChange.EndCopy(shard);
    }
    if (kind < 10) {
      copy.complete = true;
      return new StorageChange.CompleteCopy(shard);
    }
    if (kind < 13) {
      return new StorageChange.PutWatermark(shard, 1 + random.nextInt(9), 1 + random.nextInt(99));
    }
    if (kind == 13) {
      copy.complete = false;
      return new StorageChange.ResumeCopy(shard);
    }
    if (kind < 60) {
      return ofVersions(shard, copy);
    }
    return kind < 80 ? ofLog(shard, copy) : ofRecords(shard, copy);
  }

  private StorageChange ofVersions(int shard, Copy copy) {
    int kind = random.nextInt(10);
    if (kind < 3 && !copy.versions.isEmpty()) {
      StorageChange.PutVersion put = copy.versions.remove(random.nextInt(copy.versions.size()));
      copy.versions.removeIf(other ->
          other.key().equals(put.key())
              && other.sequenceNumber() == put.sequenceNumber()
              && other.tid().equals(put.tid()));
      return new StorageChange.DropVersion(shard, put.key(), put.sequenceNumber(), put.tid());
    }
    if (kind == 3 && !copy.versions.isEmpty()) {
      return copy.versions.get(random.nextInt(copy.versions.size()));
    }
    TxId tid = tid();
    StorageChange.PutVersion put =
        new StorageChange.PutVersion(
            shard,
            key(),
            1 + random.nextInt(20),
            tid,
            random.nextInt(5) == 0 ? TxId.NOBODY : tid,
            value());
    copy.versions.add(put);
    return put;
  }

  private StorageChange ofLog(int shard, Copy copy) {
    if (random.nextInt(3) == 0 && !copy.log.isEmpty()) {
      StorageChange.PutLog put = copy.log.remove(random.nextInt(copy.log.size()));
      return new StorageChange.DropLog(shard, put.sequenceNumber(), put.tid());
    }
    StorageChange.PutLog put =
        new StorageChange.PutLog(shard, 1 + random.nextInt(50), tid(), clock());
    copy.log.add(put);
    return put;
  }

  private StorageChange ofRecords(int shard, Copy copy) {
    if (random.nextInt(3) == 0 && !copy.records.isEmpty()) {
      return new StorageChange.DropRecord(
          shard, copy.records.remove(random.nextInt(copy.records.size())).tid());
    }
    TxRecord rec = rec(shard, tid());
    copy.records.add(rec);
    return new StorageChange.PutRecord(rec);
  }

  private TxRecord rec(int shard, TxId tid) {
    Footprint footprint =
        new Footprint(
            List.of(new Footprint.KeyRead(key(), new Seen(tid(), random.nextBoolean()))),
            List.of(),
            List.of(new Footprint.Write(key(), value(), null)));
    return new TxRecord(
        tid, shard, List.of(1, 2), clock(), footprint, random.nextBoolean(), "label");
  }

  private CompositeKey key() {
    byte[] ku = new byte[random.nextInt(4)];
    for (int i = 0; i < ku.length; i++) {
      ku[i] = BYTES[random.nextInt(BYTES.length)];
    }
    return CompositeKey.of(word(), ku);
  }

  private byte @Nullable [] value() {
    int kind = random.nextInt(100);
    if (kind < 10) {
      return null;
    }
    byte[] value = new byte[kind >= 97 ? BLOB_BYTES : random.nextInt(300)];
    random.nextBytes(value);
    return value;
  }

  private TxId tid() {
    return new TxId(node(), random.nextInt(60));
  }

  private NodeId node() {
    return new NodeId(word());
  }

  private long word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private VectorClock clock() {
    int from = random.nextInt(3);
    return VectorClock.of(
        new int[] {from, from + 1 + random.nextInt(300)},
        new long[] {1 + random.nextInt(100), 1 + random.nextInt(100)});
  }

  private Topology topology() {
    NodeId one = node();
    NodeId other = new NodeId(random.nextLong());
    return new Topology(
        1 + random.nextInt(100),
        List.of(one, other),
        List.of(
            new Topology.Placement(List.of(one), List.of(other)),
            new Topology.Placement(List.of(other, one), List.of())));
  }
}
