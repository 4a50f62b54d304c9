package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.wire.StoredCodec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes as puts and deletes of the engine's keys. It follows what the engine has once all that it
 * has written is there. Confined to one thread.
 *
 * <p>A version is deleted by an ordinary delete. The engine has a cheaper one for keys that are put
 * once, but a put of what is there already is allowed, and would come to light again.
 */
final class ChangeWriter {
  /** By shard the state of its copy; a shard without one has nothing that could be deleted. */
  private final Map<Integer, Byte> copies;

  private final DecisionRanges decisions;
  private int users;
  private long promised;

  /**
   * @param facts those of the engine
   * @param decisions those of the engine
   */
  ChangeWriter(Facts facts, DecisionRanges decisions) {
    this.copies = facts.copies;
    this.decisions = decisions;
    this.users = facts.users.size();
    this.promised = facts.promised;
  }

  void write(StorageChange change, NetChanges net) {
    if (change instanceof StorageChange.PutVersion put) {
      net.put(
          Family.DATA,
          ShardKeys.ofVersion(put.shard(), put.key(), put.sequenceNumber(), put.tid()),
          () -> VersionBytes.of(put));
    } else if (change instanceof StorageChange.DropVersion drop) {
      net.delete(
          Family.DATA,
          ShardKeys.ofVersion(drop.shard(), drop.key(), drop.sequenceNumber(), drop.tid()));
    } else if (change instanceof StorageChange.PutLog put) {
      net.put(
          Family.LOG,
          ShardKeys.ofLogEntry(put.shard(), put.sequenceNumber(), put.tid()),
          () -> StoredCodec.encodeClock(put.clock()));
    } else if (change instanceof StorageChange.DropLog drop) {
      net.delete(Family.LOG, ShardKeys.ofLogEntry(drop.shard(), drop.sequenceNumber(), drop.tid()));
    } else if (change instanceof StorageChange.PutRecord put) {
      net.put(
          Family.TX,
          TxKeys.ofRecord(put.rec().shard(), put.rec().tid()),
          () -> StoredCodec.encodeRecord(put.rec()));
    } else if (change instanceof StorageChange.DropRecord drop) {
      net.delete(Family.TX, TxKeys.ofRecord(drop.shard(), drop.tid()));
    } else if (change instanceof StorageChange.PutDecision put) {
      decisions.add(put.decision().tid());
      net.put(
          Family.TX,
          TxKeys.ofDecision(put.decision().tid()),
          () -> StoredCodec.encodeDecision(put.decision()));
    } else if (change instanceof StorageChange.DropDecision drop) {
      net.delete(Family.TX, TxKeys.ofDecision(drop.tid()));
    } else {
      writeFact(change, net);
    }
  }

  private void writeFact(StorageChange change, NetChanges net) {
    if (change instanceof StorageChange.BeginCopy begin) {
      dropCopy(net, begin.shard());
      writeCopy(net, begin.shard(), Facts.BEGUN);
    } else if (change instanceof StorageChange.ResumeCopy resume) {
      writeCopy(net, resume.shard(), Facts.BEGUN);
    } else if (change instanceof StorageChange.PutWatermark put) {
      putFact(
          net, FactKeys.ofWatermark(put.shard()), FactKeys.ofLongs(put.topology(), put.number()));
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      writeCopy(net, complete.shard(), Facts.COMPLETE);
    } else if (change instanceof StorageChange.EndCopy end) {
      dropCopy(net, end.shard());
    } else if (change instanceof StorageChange.PutMark mark) {
      putFact(net, FactKeys.ofMark(mark.coordinator()), FactKeys.ofLong(mark.below()));
      dropDecisions(net, mark);
    } else if (change instanceof StorageChange.PutTopology put) {
      putFact(net, FactKeys.of(FactKeys.TOPOLOGY), StoredCodec.encodeTopology(put.topology()));
      writeOver(net, put.over());
    } else if (change instanceof StorageChange.PutInstalledByAll) {
      writeOver(net, List.of());
    } else if (change instanceof StorageChange.PutHorizon put) {
      putFact(net, FactKeys.of(FactKeys.HORIZON), StoredCodec.encodeClock(put.horizon()));
    } else if (change instanceof StorageChange.PutUser put) {
      putFact(net, FactKeys.ofUser(users++), FactKeys.ofLong(put.user().value()));
    } else if (change instanceof StorageChange.PutPromise put) {
      promised = Math.max(promised, put.topology());
      putFact(net, FactKeys.of(FactKeys.PROMISE), FactKeys.ofLong(promised));
    } else {
      throw Invariant.violation("a change that the engine does not know: %s", change);
    }
  }

  private void writeOver(NetChanges net, @Nullable List<Topology> known) {
    if (known == null) {
      putFact(net, FactKeys.of(FactKeys.JOINED), new byte[0]);
    } else {
      net.delete(Family.FACTS, FactKeys.of(FactKeys.JOINED));
    }
    List<Topology> over = known == null ? List.of() : known;
    net.deleteRange(Family.FACTS, FactKeys.ofOver(0), FactKeys.ofOver(Integer.MAX_VALUE));
    for (int place = 0; place < over.size(); place++) {
      putFact(net, FactKeys.ofOver(place), StoredCodec.encodeTopology(over.get(place)));
    }
  }

  /** Writes the position of the last step. */
  void writePosition(NetChanges net, long position) {
    putFact(net, FactKeys.of(FactKeys.POSITION), FactKeys.ofLong(position));
  }

  /** Deletes all that the engine has of a copy. */
  private void dropCopy(NetChanges net, int shard) {
    if (copies.remove(shard) == null) {
      return;
    }
    byte[] first = ShardKeys.firstOf(shard);
    byte[] next = ShardKeys.firstOf(shard + 1);
    net.deleteRange(Family.DATA, first, next);
    net.deleteRange(Family.LOG, first, next);
    net.deleteRange(Family.TX, TxKeys.firstRecordOf(shard), TxKeys.firstRecordOf(shard + 1));
    net.delete(Family.FACTS, FactKeys.ofCopy(shard));
    net.delete(Family.FACTS, FactKeys.ofWatermark(shard));
  }

  /** Deletes all that the engine has of copies that are not complete. */
  void dropIncomplete(NetChanges net) {
    List<Integer> incomplete =
        copies.entrySet().stream()
            .filter(copy -> copy.getValue() != Facts.COMPLETE)
            .map(Map.Entry::getKey)
            .toList();
    incomplete.forEach(shard -> dropCopy(net, shard));
  }

  private void writeCopy(NetChanges net, int shard, byte state) {
    copies.put(shard, state);
    putFact(net, FactKeys.ofCopy(shard), new byte[] {state});
  }

  private void dropDecisions(NetChanges net, StorageChange.PutMark mark) {
    DecisionRanges.Range done = decisions.removeBelow(mark.coordinator(), mark.below());
    if (done != null) {
      net.deleteRange(
          Family.TX,
          TxKeys.ofDecision(mark.coordinator(), done.from()),
          TxKeys.ofDecision(mark.coordinator(), done.to()));
    }
  }

  private void putFact(NetChanges net, byte[] key, byte[] value) {
    net.put(Family.FACTS, key, () -> value);
  }
}
