package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.storage.StorageChange;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a disk's copy in which nothing is missing, and nothing is that may have been aborted
 * since: all up to a number (protocol.md, Coming back).
 */
public final class KnownPart {
  private final int shard;
  private final Recovered.Copy copy;
  private final StepChanges changes;

  KnownPart(int shard, Recovered.Copy copy, StepChanges changes) {
    this.shard = shard;
    this.copy = copy;
    this.changes = changes;
  }

  /** Drops what does not belong to it; returns it. */
  Recovered.Copy drop() {
    Invariant.holds(!copy.isClosed(), "its versions were not read: shard %s", shard);
    List<Recovered.Version> versions = new ArrayList<>();
    for (Recovered.Version version : copy.versions()) {
      if (isKnown(version.sequenceNumber())) {
        versions.add(version);
      } else {
        changes.add(
            new StorageChange.DropVersion(
                shard, version.key(), version.sequenceNumber(), version.tid()));
      }
    }
    List<LogEntry> log = new ArrayList<>();
    for (LogEntry entry : copy.log()) {
      if (isKnown(entry.sequenceNumber())) {
        log.add(entry);
      } else {
        changes.add(new StorageChange.DropLog(shard, entry.sequenceNumber(), entry.tid()));
      }
    }
    for (TxRecord rec : copy.records()) {
      changes.add(new StorageChange.DropRecord(shard, rec.tid()));
    }
    return new Recovered.Copy(versions, log, List.of(), copy.complete());
  }

  /** Whether what has this number is known to be there for good. */
  boolean isKnown(long number) {
    return number <= copy.complete().number();
  }
}
