package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.wire.StoredCodec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes as puts and deletes of the engine's keys. Confined to one thread.
 *
 * <p>A version is deleted by an ordinary delete. The engine has a cheaper one for keys that are put
 * once, but a put of what is there already is allowed, and would come to light again.
 */
final class ChangeWriter {
  private final RocksEngine engine;

  /** By shard the state of its copy; a shard without one has nothing that could be deleted. */
  private final Map<Integer, Byte> copies;

  private final DecisionRanges decisions;
  private int users;
  private long promised;

  /**
   * @param facts those of the engine
   * @param decisions those of the engine
   */
  ChangeWriter(RocksEngine engine, Facts facts, DecisionRanges decisions) {
    this.engine = engine;
    this.copies = facts.copies;
    this.decisions = decisions;
    this.users = facts.users.size();
    this.promised = facts.promised;
  }

  void write(WriteBatch batch, StorageChange change) throws RocksDBException {
    if (change instanceof StorageChange.PutVersion put) {
      checkBegun(put.shard());
      put(
          batch,
          Family.DATA,
          ShardKeys.ofVersion(put.shard(), put.key(), put.sequenceNumber(), put.tid()),
          VersionBytes.of(put));
    } else if (change instanceof StorageChange.DropVersion drop) {
      checkBegun(drop.shard());
      delete(
          batch,
          Family.DATA,
          ShardKeys.ofVersion(drop.shard(), drop.key(), drop.sequenceNumber(), drop.tid()));
    } else if (change instanceof StorageChange.PutLog put) {
      checkBegun(put.shard());
      put(
          batch,
          Family.LOG,
          ShardKeys.ofLogEntry(put.shard(), put.sequenceNumber(), put.tid()),
          StoredCodec.encodeClock(put.clock()));
    } else if (change instanceof StorageChange.DropLog drop) {
      checkBegun(drop.shard());
      delete(
          batch, Family.LOG, ShardKeys.ofLogEntry(drop.shard(), drop.sequenceNumber(), drop.tid()));
    } else if (change instanceof StorageChange.PutRecord put) {
      checkBegun(put.rec().shard());
      put(
          batch,
          Family.TX,
          TxKeys.ofRecord(put.rec().shard(), put.rec().tid()),
          StoredCodec.encodeRecord(put.rec()));
    } else if (change instanceof StorageChange.DropRecord drop) {
      checkBegun(drop.shard());
      delete(batch, Family.TX, TxKeys.ofRecord(drop.shard(), drop.tid()));
    } else if (change instanceof StorageChange.PutDecision put) {
      decisions.add(put.decision().tid());
      put(
          batch,
          Family.TX,
          TxKeys.ofDecision(put.decision().tid()),
          StoredCodec.encodeDecision(put.decision()));
    } else if (change instanceof StorageChange.DropDecision drop) {
      delete(batch, Family.TX, TxKeys.ofDecision(drop.tid()));
    } else {
      writeFact(batch, change);
    }
  }

  private void writeFact(WriteBatch batch, StorageChange change) throws RocksDBException {
    if (change instanceof StorageChange.BeginCopy begin) {
      dropCopy(batch, begin.shard());
      writeCopy(batch, begin.shard(), Facts.BEGUN);
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      checkBegun(complete.shard());
      writeCopy(batch, complete.shard(), Facts.COMPLETE);
    } else if (change instanceof StorageChange.EndCopy end) {
      dropCopy(batch, end.shard());
    } else if (change instanceof StorageChange.PutMark mark) {
      putFact(batch, FactKeys.ofMark(mark.coordinator()), FactKeys.ofLong(mark.below()));
      dropDecisions(batch, mark);
    } else if (change instanceof StorageChange.PutTopology put) {
      putFact(batch, FactKeys.of(FactKeys.TOPOLOGY), StoredCodec.encodeTopology(put.topology()));
      writeOver(batch, put.over());
    } else if (change instanceof StorageChange.PutInstalledByAll) {
      writeOver(batch, List.of());
    } else if (change instanceof StorageChange.PutHorizon put) {
      putFact(batch, FactKeys.of(FactKeys.HORIZON), StoredCodec.encodeClock(put.horizon()));
    } else if (change instanceof StorageChange.PutUser put) {
      putFact(batch, FactKeys.ofUser(users++), FactKeys.ofLong(put.user().value()));
    } else if (change instanceof StorageChange.PutPromise put) {
      promised = Math.max(promised, put.topology());
      putFact(batch, FactKeys.of(FactKeys.PROMISE), FactKeys.ofLong(promised));
    } else {
      throw Invariant.violation("a change that the engine does not know: %s", change);
    }
  }

  private void writeOver(WriteBatch batch, @Nullable List<Topology> known) throws RocksDBException {
    if (known == null) {
      putFact(batch, FactKeys.of(FactKeys.JOINED), new byte[0]);
    } else {
      batch.delete(engine.family(Family.FACTS), FactKeys.of(FactKeys.JOINED));
    }
    List<Topology> over = known == null ? List.of() : known;
    batch.deleteRange(
        engine.family(Family.FACTS), FactKeys.ofOver(0), FactKeys.ofOver(Integer.MAX_VALUE));
    for (int place = 0; place < over.size(); place++) {
      putFact(batch, FactKeys.ofOver(place), StoredCodec.encodeTopology(over.get(place)));
    }
  }

  /** Writes the position of the last step of a batch. */
  void writePosition(WriteBatch batch, long position) throws RocksDBException {
    putFact(batch, FactKeys.of(FactKeys.POSITION), FactKeys.ofLong(position));
  }

  /** Deletes all that the engine has of a copy. */
  void dropCopy(WriteBatch batch, int shard) throws RocksDBException {
    if (copies.remove(shard) == null) {
      return;
    }
    byte[] first = ShardKeys.firstOf(shard);
    byte[] next = ShardKeys.firstOf(shard + 1);
    batch.deleteRange(engine.family(Family.DATA), first, next);
    batch.deleteRange(engine.family(Family.LOG), first, next);
    batch.deleteRange(
        engine.family(Family.TX), TxKeys.firstRecordOf(shard), TxKeys.firstRecordOf(shard + 1));
    delete(batch, Family.FACTS, FactKeys.ofCopy(shard));
  }

  private void writeCopy(WriteBatch batch, int shard, byte state) throws RocksDBException {
    copies.put(shard, state);
    putFact(batch, FactKeys.ofCopy(shard), new byte[] {state});
  }

  private void dropDecisions(WriteBatch batch, StorageChange.PutMark mark) throws RocksDBException {
    DecisionRanges.Range done = decisions.removeBelow(mark.coordinator(), mark.below());
    if (done != null) {
      batch.deleteRange(
          engine.family(Family.TX),
          TxKeys.ofDecision(mark.coordinator(), done.from()),
          TxKeys.ofDecision(mark.coordinator(), done.to()));
    }
  }

  private void checkBegun(int shard) {
    Invariant.holds(
        copies.containsKey(shard), "a change of a copy that has not begun, of shard %s", shard);
  }

  private void putFact(WriteBatch batch, byte[] key, byte[] value) throws RocksDBException {
    put(batch, Family.FACTS, key, value);
  }

  private void put(WriteBatch batch, Family family, byte[] key, byte[] value)
      throws RocksDBException {
    batch.put(engine.family(family), key, value);
  }

  private void delete(WriteBatch batch, Family family, byte[] key) throws RocksDBException {
    batch.delete(engine.family(family), key);
  }
}
