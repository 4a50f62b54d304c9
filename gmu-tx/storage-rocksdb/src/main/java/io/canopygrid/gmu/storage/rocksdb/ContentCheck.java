package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.wire.StoredCodec;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads versions, log, records and decisions in the order of their keys, and compares them with
 * each other. It keeps the commits of one shard's log in memory, and counts. Confined to one
 * thread.
 */
final class ContentCheck {
  private final Source source;
  private final ShardMap shards;
  private final Facts facts;
  private final DiskFindings findings;
  private final Map<Integer, Counts> counts = new HashMap<>();
  private final Set<Integer> withoutCopy = new HashSet<>();
  private long decisions;

  // Of the version that was read last.
  private int shard = -1;
  private Set<Commit> log = Set.of();
  private byte @Nullable [] lastKey;
  private @Nullable CompositeKey lastOf;

  private record Commit(long number, TxId tid) {}

  /** Reads entries in the order of their keys. */
  interface Source {
    /** Reads those of a family. */
    void read(Family family, EngineContent.EntryReader reader) throws RocksDBException;

    /** Reads those from a key on, up to another one. */
    void read(Family family, byte[] from, byte[] to, EngineContent.EntryReader reader)
        throws RocksDBException;
  }

  /** The numbers of what a copy has. */
  static final class Counts {
    private long keys;
    private long versions;
    private long logged;
    private long prepared;

    /** Versions above it have a log entry, or are below the horizon. */
    private long lowestLogged = Long.MAX_VALUE;

    DiskReport.Copy report(int shard, boolean isComplete) {
      return new DiskReport.Copy(shard, isComplete, keys, versions, logged, prepared);
    }
  }

  ContentCheck(Source source, ShardMap shards, Facts facts, DiskFindings findings) {
    this.source = source;
    this.shards = shards;
    this.facts = facts;
    this.findings = findings;
  }

  void run() {
    findings.lookAt("family log", () -> source.read(Family.LOG, checked(this::readLogEntry)));
    findings.lookAt("family data", () -> source.read(Family.DATA, checked(this::readVersion)));
    findings.lookAt("family tx", () -> source.read(Family.TX, checked(this::readTransaction)));
  }

  /** An entry that is none of Canopy's is a problem, and the next one is looked at. */
  private EngineContent.EntryReader checked(EngineContent.EntryReader reader) {
    return (key, value) -> {
      try {
        reader.read(key, value);
      } catch (MalformedBytesException | IllegalArgumentException e) {
        findings.add("an entry is malformed (%s): %s", String.valueOf(e.getMessage()), hex(key));
      }
    };
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  Counts counts(int of) {
    return counts.computeIfAbsent(of, s -> new Counts());
  }

  long decisions() {
    return decisions;
  }

  private void checkCopy(int of) {
    if (!facts.copies.containsKey(of) && withoutCopy.add(of)) {
      findings.add("there is data of shard %d, and no copy of it", of);
    }
  }

  private boolean isComplete(int of) {
    return facts.copies.getOrDefault(of, Facts.BEGUN) == Facts.COMPLETE;
  }

  private void readLogEntry(byte[] key, byte[] value) {
    int of = ShardKeys.readShard(new ByteReader(key));
    checkCopy(of);
    LogEntry entry = ContentReader.logEntry(key, value);
    Counts here = counts(of);
    here.logged++;
    here.lowestLogged = Math.min(here.lowestLogged, entry.sequenceNumber());
    if (entry.clock().get(of) != entry.sequenceNumber()) {
      findings.add(
          "commit %s of shard %d has number %d in the log, and %d in its clock",
          entry.tid(), of, entry.sequenceNumber(), entry.clock().get(of));
    }
  }

  private void readVersion(byte[] key, byte[] value) {
    int of = ShardKeys.readShard(new ByteReader(key));
    if (of != shard) {
      begin(of);
    }
    byte[] before = lastKey;
    if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
      findings.add("the versions of shard %d are out of order: %s", of, hex(key));
    }
    lastKey = key;
    Recovered.Version version = ContentReader.version(key, value);
    Counts here = counts(of);
    here.versions++;
    if (lastOf == null || !version.key().equals(lastOf)) {
      here.keys++;
      lastOf = version.key();
    }
    if (!Arrays.equals(
        ShardKeys.ofVersion(of, version.key(), version.sequenceNumber(), version.tid()), key)) {
      findings.add("a key of shard %d has another form than it would be put in: %s", of, hex(key));
    }
    checkPlace(of, version.key());
    checkLogged(of, version, here);
  }

  private void begin(int of) {
    checkCopy(of);
    shard = of;
    lastOf = null;
    Set<Commit> commits = new HashSet<>();
    log = commits;
    try {
      source.read(
          Family.LOG,
          ShardKeys.firstOf(of),
          ShardKeys.firstOf(of + 1),
          (key, value) -> {
            LogEntry entry = ContentReader.logEntry(key, value);
            commits.add(new Commit(entry.sequenceNumber(), entry.tid()));
          });
    } catch (RocksDBException | MalformedBytesException e) {
      // Told when the log was read; what it lacks is no problem of the versions.
      counts(of).lowestLogged = Long.MAX_VALUE;
    }
  }

  /**
   * A version whose log entry was dropped is at or below the horizon. So are those below the log
   * where a copy is new, and its node has not heard of the newest horizon yet.
   */
  private void checkLogged(int of, Recovered.Version version, Counts here) {
    long number = version.sequenceNumber();
    boolean isAbove = number > facts.horizon.get(of) && number > here.lowestLogged;
    if (isComplete(of) && isAbove && !log.contains(new Commit(number, version.tid()))) {
      findings.add(
          "a version of %s in shard %d is of commit %s with number %d, which the log lacks, and the"
              + " horizon is at %d",
          version.key(), of, version.tid(), number, facts.horizon.get(of));
    }
  }

  private void checkPlace(int of, CompositeKey key) {
    if (shards.shardOf(key.kcl()) != of) {
      findings.add("%s is in shard %d, and belongs to %d", key, of, shards.shardOf(key.kcl()));
    }
  }

  private void readTransaction(byte[] key, byte[] value) {
    ByteReader in = new ByteReader(key);
    int kind = in.readByte();
    if (kind == TxKeys.DECISION) {
      readDecision(key, value);
    } else if (kind == TxKeys.RECORD) {
      int of = ShardKeys.readShard(in);
      readRecord(of, ShardKeys.readTid(in), value);
    } else {
      throw new MalformedBytesException("no kind of transaction: " + kind);
    }
  }

  private void readDecision(byte[] key, byte[] value) {
    Decision decision = StoredCodec.decodeDecision(value);
    decisions++;
    TxId tid = TxKeys.decisionOf(key);
    if (!decision.tid().equals(tid) || decision.clock() == null) {
      findings.add(
          "the decision of %s is of %s: %s", tid, decision.tid(), String.valueOf(decision.clock()));
    }
    for (TxRecord rec : decision.records()) {
      checkRecord(rec.shard(), tid, rec);
    }
  }

  private void readRecord(int of, TxId tid, byte[] value) {
    checkCopy(of);
    counts(of).prepared++;
    checkRecord(of, tid, StoredCodec.decodeRecord(value));
  }

  private void checkRecord(int of, TxId tid, TxRecord rec) {
    if (!rec.tid().equals(tid) || rec.shard() != of || !rec.participants().contains(of)) {
      findings.add(
          "the record of %s in shard %d is of %s in shard %d", tid, of, rec.tid(), rec.shard());
    }
    for (Write write : rec.footprint().writes()) {
      checkPlace(of, write.key());
    }
  }
}
