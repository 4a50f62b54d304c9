package io.canopygrid.gmu.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of a disk's content that a cut takes, and the part that it leaves. */
final class CutContentTest {
  private static final NodeId NODE = new NodeId(1);
  private static final CompositeKey KEY = CompositeKey.of(7, new byte[] {1});
  private static final TxId SETTLED = new TxId(NODE, 1);
  private static final TxId KEPT = new TxId(NODE, 2);
  private static final TxId TAKEN = new TxId(NODE, 3);
  private static final TxId PREPARED = new TxId(NODE, 4);
  private static final VectorClock BELOW = VectorClock.ZERO.with(0, 5).with(1, 8);

  /** Above the cut in the other shard only. */
  private static final VectorClock ABOVE = VectorClock.ZERO.with(0, 6).with(1, 9);

  private static final Cut CUT = new Cut(4, VectorClock.ZERO.with(0, 6).with(1, 8));

  private static final Footprint NO_WRITES = new Footprint(List.of(), List.of(), List.of());

  private final DiskImage disk = new DiskImage();

  @Test
  void commitsAboveTheCutInAnyShardGo() {
    Recovered.Copy copy = copy(cut());
    assertThat(copy.log()).isEqualTo(List.of(new LogEntry(5, KEPT, BELOW)));
    assertThat(copy.versions().stream().map(Recovered.Version::tid))
        .as("a version without a log entry is below the horizon")
        .containsExactlyInAnyOrder(SETTLED, KEPT);
  }

  @Test
  void whatIsPreparedOrDecidedGoes() {
    Recovered kept = cut();
    assertThat(kept.decisions()).isEmpty();
    assertThat(copy(kept).records()).isEmpty();
  }

  @Test
  void theWatermarkDoesNotOutliveTheCut() {
    assertThat(copy(cut()).complete()).isEqualTo(new UpTo(3, 6));
  }

  /** A node begins with the same as its disk has once the changes are stored. */
  private Recovered cut() {
    disk.apply(new StorageChange.BeginCopy(0));
    disk.apply(new StorageChange.CompleteCopy(0));
    disk.apply(new StorageChange.PutWatermark(0, 3, 9));
    put(2, SETTLED);
    put(5, KEPT);
    disk.apply(new StorageChange.PutLog(0, 5, KEPT, BELOW));
    put(6, TAKEN);
    disk.apply(new StorageChange.PutLog(0, 6, TAKEN, ABOVE));
    disk.apply(
        new StorageChange.PutRecord(
            new TxRecord(PREPARED, 0, List.of(0), BELOW, NO_WRITES, false, "")));
    disk.apply(
        new StorageChange.PutDecision(new Decision(TAKEN, ABOVE, List.of(0), BELOW, List.of())));
    disk.apply(new StorageChange.PutTopology(new Topology(3, List.of(NODE), List.of()), List.of()));
    CutContent content = CutContent.of(disk.recovered(), CUT);
    content.changes().forEach(disk::apply);
    assertThat(disk.recovered()).usingRecursiveComparison().isEqualTo(content.kept());
    return content.kept();
  }

  private static Recovered.Copy copy(Recovered recovered) {
    return Invariant.present(recovered.copies().get(0), "no copy");
  }

  private void put(long number, TxId tid) {
    disk.apply(new StorageChange.PutVersion(0, KEY, number, tid, tid, new byte[] {(byte) number}));
  }
}
