package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.wire.StoredCodec;
import io.canopygrid.wire.ByteReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads the engine's content. Bytes that are none of Canopy's end in {@link
 * io.canopygrid.wire.MalformedBytesException}.
 */
final class ContentReader {
  private static final byte[] FIRST = {};
  private static final byte[] FIRST_DECISION = {TxKeys.DECISION};
  private static final byte[] BEHIND_DECISIONS = {TxKeys.DECISION + 1};

  /** No letter of a fact is as high. */
  private static final byte[] BEHIND_FACTS = {(byte) 0xFF};

  private final EngineContent engine;

  ContentReader(EngineContent engine) {
    this.engine = engine;
  }

  Facts facts() throws RocksDBException {
    Facts facts = new Facts();
    engine.read(Family.FACTS, FIRST, BEHIND_FACTS, facts::read);
    return facts;
  }

  DecisionRanges decisionRanges() throws RocksDBException {
    DecisionRanges ranges = new DecisionRanges();
    engine.read(
        Family.TX,
        FIRST_DECISION,
        BEHIND_DECISIONS,
        (key, value) -> ranges.add(TxKeys.decisionOf(key)));
    return ranges;
  }

  /**
   * @param facts whose copies are all complete
   * @param withVersions the shards whose versions are read, too
   */
  Recovered content(Facts facts, IntPredicate withVersions) throws RocksDBException {
    Map<Integer, Recovered.Copy> copies = new HashMap<>();
    for (int shard : facts.copies.keySet()) {
      copies.put(
          shard,
          withVersions.test(shard)
              ? copy(facts, shard, Long.MAX_VALUE)
              : new Recovered.Copy(List.of(), log(shard), records(shard), complete(facts, shard))
                  .closed());
    }
    return new Recovered(
        facts.users,
        facts.promised,
        facts.topology,
        facts.hasJoined ? null : facts.over,
        facts.horizon,
        facts.marks,
        decisions(),
        copies,
        facts.cuts,
        facts.mayLack);
  }

  /** A copy with its versions, and with so many bytes of values at most. */
  Recovered.Copy copy(Facts facts, int shard, long valueBytesMax) throws RocksDBException {
    List<LogEntry> log = log(shard);
    Versions versions = new Versions(log, valueBytesMax);
    engine.read(
        Family.DATA,
        ShardKeys.firstOf(shard),
        ShardKeys.firstOf(shard + 1),
        (key, value) -> versions.add(version(key, value)));
    return new Recovered.Copy(versions.read(), log, records(shard), complete(facts, shard));
  }

  private static UpTo complete(Facts facts, int shard) {
    return facts.watermarks.getOrDefault(shard, UpTo.NOTHING);
  }

  private List<Decision> decisions() throws RocksDBException {
    List<Decision> decisions = new ArrayList<>();
    engine.read(
        Family.TX,
        FIRST_DECISION,
        BEHIND_DECISIONS,
        (key, value) -> decisions.add(StoredCodec.decodeDecision(value)));
    return decisions;
  }

  /**
   * The versions of a shard, of which those of one key follow one another. A value for which there
   * is no room is left on the disk, where its version is the only one of its key and has no log
   * entry.
   */
  private static final class Versions {
    private final Set<Commit> logged = new HashSet<>();
    private final List<Recovered.Version> read = new ArrayList<>();
    private Recovered.@Nullable Version last;
    private boolean isFirst;

    /** The values that are still read, as they have room in memory. */
    private long valueBytesLeft;

    Versions(List<LogEntry> log, long valueBytesMax) {
      valueBytesLeft = valueBytesMax;
      log.forEach(entry -> logged.add(new Commit(entry.sequenceNumber(), entry.tid())));
    }

    void add(Recovered.Version version) {
      Recovered.Version before = last;
      boolean isOfLast = before != null && before.key().equals(version.key());
      keepLast(isOfLast);
      isFirst = !isOfLast;
      last = version;
    }

    private void keepLast(boolean hasMore) {
      Recovered.Version version = last;
      if (version != null) {
        boolean isSole = isFirst && !hasMore && version.key().isOfEntry();
        boolean hasRoom = version.size() <= valueBytesLeft;
        valueBytesLeft -= hasRoom ? version.size() : 0;
        Commit commit = new Commit(version.sequenceNumber(), version.tid());
        read.add(hasRoom || !isSole || logged.contains(commit) ? version : version.cold());
      }
    }

    List<Recovered.Version> read() {
      keepLast(false);
      last = null;
      return read;
    }
  }

  private record Commit(long number, TxId tid) {}

  /** The version of an entry of {@link Family#DATA}. */
  static Recovered.Version version(byte[] key, byte[] value) {
    ByteReader in = new ByteReader(key, Short.BYTES, key.length);
    CompositeKey of = ShardKeys.readKey(in);
    long number = ~in.readLong();
    TxId tid = ShardKeys.readTurnedTid(in);
    in.end();
    VersionBytes.Content content = VersionBytes.read(value, tid);
    return new Recovered.Version(of, number, tid, content.writer(), content.value());
  }

  private List<LogEntry> log(int shard) throws RocksDBException {
    List<LogEntry> log = new ArrayList<>();
    engine.read(
        Family.LOG,
        ShardKeys.firstOf(shard),
        ShardKeys.firstOf(shard + 1),
        (key, value) -> log.add(logEntry(key, value)));
    return log;
  }

  /** The commit of an entry of {@link Family#LOG}. */
  static LogEntry logEntry(byte[] key, byte[] value) {
    ByteReader in = new ByteReader(key, Short.BYTES, key.length);
    long number = in.readLong();
    TxId tid = ShardKeys.readTid(in);
    in.end();
    return new LogEntry(number, tid, StoredCodec.decodeClock(value));
  }

  private List<TxRecord> records(int shard) throws RocksDBException {
    List<TxRecord> records = new ArrayList<>();
    engine.read(
        Family.TX,
        TxKeys.firstRecordOf(shard),
        TxKeys.firstRecordOf(shard + 1),
        (key, value) -> records.add(StoredCodec.decodeRecord(value)));
    return records;
  }
}
