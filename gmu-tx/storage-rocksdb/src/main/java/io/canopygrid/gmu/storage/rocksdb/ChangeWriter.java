package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.storage.Recovered;
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
  private final EngineNumbers numbers = new EngineNumbers();
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
      net.of(put.shard()).put(put);
    } else if (change instanceof StorageChange.DropVersion drop) {
      net.of(drop.shard()).drop(drop, numbers.mayHave(drop.shard(), drop.sequenceNumber()));
    } else if (change instanceof StorageChange.PutLog put) {
      net.of(put.shard()).put(put);
    } else if (change instanceof StorageChange.DropLog drop) {
      net.of(drop.shard()).drop(drop, numbers.mayHave(drop.shard(), drop.sequenceNumber()));
    } else if (change instanceof StorageChange.PutRecord put) {
      net.of(put.rec().shard()).put(put);
    } else if (change instanceof StorageChange.DropRecord drop) {
      net.of(drop.shard()).drop(drop, numbers.mayHave(drop.tid()));
    } else if (change instanceof StorageChange.PutDecision put) {
      net.put(put);
    } else if (change instanceof StorageChange.DropDecision drop) {
      net.drop(drop, numbers.mayHave(drop.tid()));
    } else {
      writeFact(change, net);
    }
  }

  /** The changes that are left are about to be brought into the engine. */
  void follow(NetChanges net) {
    net.forEach(this::follow);
  }

  private void follow(StorageChange change) {
    if (change instanceof StorageChange.PutVersion put) {
      numbers.add(put.shard(), put.sequenceNumber());
    } else if (change instanceof StorageChange.PutLog put) {
      numbers.add(put.shard(), put.sequenceNumber());
    } else if (change instanceof StorageChange.PutRecord put) {
      numbers.add(put.rec().tid());
    } else if (change instanceof StorageChange.PutDecision put) {
      numbers.add(put.decision().tid());
      decisions.add(put.decision().tid());
    }
  }

  /** All that the engine has, before anything else is brought there. */
  void learn(Recovered content) {
    numbers.learn(content);
  }

  /** All that the engine had of a shard at some time. Any thread. */
  void learn(int shard, Recovered.Copy copy) {
    numbers.learn(shard, copy);
  }

  private void writeFact(StorageChange change, NetChanges net) {
    if (change instanceof StorageChange.BeginCopy begin) {
      dropCopy(net, begin.shard());
      writeCopy(net, begin.shard(), Facts.BEGUN);
    } else if (change instanceof StorageChange.ResumeCopy resume) {
      writeCopy(net, resume.shard(), Facts.BEGUN);
    } else if (change instanceof StorageChange.PutWatermark put) {
      net.putFact(
          FactKeys.ofWatermark(put.shard()), FactKeys.ofLongs(put.topology(), put.number()));
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      writeCopy(net, complete.shard(), Facts.COMPLETE);
    } else if (change instanceof StorageChange.EndCopy end) {
      dropCopy(net, end.shard());
    } else if (change instanceof StorageChange.PutMark mark) {
      net.putFact(FactKeys.ofMark(mark.coordinator()), FactKeys.ofLong(mark.below()));
      dropDecisions(net, mark);
    } else if (change instanceof StorageChange.PutTopology put) {
      net.putFact(FactKeys.of(FactKeys.TOPOLOGY), StoredCodec.encodeTopology(put.topology()));
      writeOver(net, put.over());
      net.deleteFact(FactKeys.of(FactKeys.MAY_LACK));
    } else if (change instanceof StorageChange.PutInstalledByAll) {
      writeOver(net, List.of());
    } else if (change instanceof StorageChange.PutHorizon put) {
      net.putFact(FactKeys.of(FactKeys.HORIZON), StoredCodec.encodeClock(put.horizon()));
    } else if (change instanceof StorageChange.PutCuts put) {
      net.putFact(FactKeys.of(FactKeys.CUTS), StoredCodec.encodeCuts(put.cuts()));
    } else if (change instanceof StorageChange.PutUser put) {
      net.putFact(FactKeys.ofUser(users++), FactKeys.ofLong(put.user().value()));
    } else if (change instanceof StorageChange.PutPromise put) {
      promised = Math.max(promised, put.topology());
      net.putFact(FactKeys.of(FactKeys.PROMISE), FactKeys.ofLong(promised));
    } else {
      throw Invariant.violation("a change that the engine does not know: %s", change);
    }
  }

  private void writeOver(NetChanges net, @Nullable List<Topology> known) {
    if (known == null) {
      net.putFact(FactKeys.of(FactKeys.JOINED), new byte[0]);
    } else {
      net.deleteFact(FactKeys.of(FactKeys.JOINED));
    }
    List<Topology> over = known == null ? List.of() : known;
    net.deleteFacts(FactKeys.ofOver(0), FactKeys.ofOver(Integer.MAX_VALUE));
    for (int place = 0; place < over.size(); place++) {
      net.putFact(FactKeys.ofOver(place), StoredCodec.encodeTopology(over.get(place)));
    }
  }

  /** Writes the position of the last step. */
  void writePosition(NetChanges net, long position) {
    net.putFact(FactKeys.of(FactKeys.POSITION), FactKeys.ofLong(position));
  }

  /** A power cut may have taken what was written last: so until a topology is installed. */
  void writeMayLack(NetChanges net) {
    net.putFact(FactKeys.of(FactKeys.MAY_LACK), new byte[0]);
  }

  /** The log ends in order with this segment, of which the engine has all. */
  void writeClosed(NetChanges net, long newest) {
    net.putFact(FactKeys.of(FactKeys.CLOSED), FactKeys.ofLong(newest));
  }

  /** Deletes all that the engine has of a copy. */
  private void dropCopy(NetChanges net, int shard) {
    if (copies.remove(shard) == null) {
      return;
    }
    net.dropShard(shard);
    net.deleteFact(FactKeys.ofCopy(shard));
    net.deleteFact(FactKeys.ofWatermark(shard));
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
    net.putFact(FactKeys.ofCopy(shard), new byte[] {state});
  }

  private void dropDecisions(NetChanges net, StorageChange.PutMark mark) {
    net.dropDecisions(mark.coordinator(), mark.below());
    DecisionRanges.Range done = decisions.removeBelow(mark.coordinator(), mark.below());
    if (done != null) {
      net.deleteDecisions(mark.coordinator(), done);
    }
  }
}
