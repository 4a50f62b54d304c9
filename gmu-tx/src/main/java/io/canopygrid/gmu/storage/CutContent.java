package io.canopygrid.gmu.storage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The content of a disk without what a cut takes from it (docs/internals/recovery.md, The cut):
 * each commit that is above the cut in any shard, all that is prepared, and all decisions, as every
 * commit that is kept is applied. Confined to one thread.
 */
public final class CutContent {
  private final Cut cut;
  private final Recovered kept;
  private final List<StorageChange> changes = new ArrayList<>();

  private CutContent(Cut cut, Recovered before) {
    this.cut = cut;
    Map<Integer, Recovered.Copy> copies = new HashMap<>();
    before.copies().forEach((shard, copy) -> copies.put(shard, kept(shard, copy)));
    kept = before.with(decisions(before.decisions()), copies);
  }

  /** Takes a cut from the content of a disk. */
  public static CutContent of(Recovered before, Cut cut) {
    return new CutContent(cut, before);
  }

  /** The content that is left. */
  public Recovered kept() {
    return kept;
  }

  /** The changes that make the disk so. */
  public List<StorageChange> changes() {
    return changes;
  }

  /** The decisions that are left: none, as each commit that is kept is applied. */
  List<Decision> decisions(List<Decision> before) {
    for (Decision decision : before) {
      changes.add(new StorageChange.DropDecision(decision.tid()));
    }
    return List.of();
  }

  private Recovered.Copy kept(int shard, Recovered.Copy copy) {
    Invariant.holds(!copy.isClosed(), "a cut of versions that were not read: shard %s", shard);
    Set<Commit> taken = new HashSet<>();
    List<LogEntry> log = new ArrayList<>();
    for (LogEntry entry : copy.log()) {
      if (keeps(shard, entry.clock())) {
        log.add(entry);
      } else {
        taken.add(new Commit(entry.sequenceNumber(), entry.tid()));
        changes.add(new StorageChange.DropLog(shard, entry.sequenceNumber(), entry.tid()));
      }
    }
    // A version without a log entry is below the horizon, which is below each cut.
    List<Recovered.Version> versions = new ArrayList<>();
    for (Recovered.Version version : copy.versions()) {
      long number = version.sequenceNumber();
      if (taken.contains(new Commit(number, version.tid()))) {
        changes.add(new StorageChange.DropVersion(shard, version.key(), number, version.tid()));
      } else {
        versions.add(version);
      }
    }
    for (TxRecord rec : copy.records()) {
      changes.add(new StorageChange.DropRecord(shard, rec.tid()));
    }
    return new Recovered.Copy(versions, log, List.of(), complete(shard, copy.complete()));
  }

  /** Whether a commit of a shard stays. */
  boolean keeps(int shard, VectorClock clock) {
    return cut.keeps(clock);
  }

  /** Nothing is there any more above the cut: a watermark above it would promise too much. */
  private UpTo complete(int shard, UpTo before) {
    long number = Math.min(before.number(), cut.upTo().get(shard));
    if (number == before.number()) {
      return before;
    }
    changes.add(new StorageChange.PutWatermark(shard, before.topology(), number));
    return new UpTo(before.topology(), number);
  }

  private record Commit(long sequenceNumber, TxId tid) {}
}
