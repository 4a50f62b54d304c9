package io.canopygrid.gmu.storage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a disk, as a node begins with it. Immutable.
 *
 * @param users the ids under which nodes with this disk have ever joined, the newest last
 * @param promised the highest id of a founding topology that was promised; 0: none was
 * @param topology the one that was installed last here; null: none ever was
 * @param over the topologies before it that count as long as it is not known that all of its
 *     members have installed it, as in {@link StorageChange.PutTopology}
 * @param horizon versions below it may be gone
 * @param marks by coordinator: its transactions with a lower counter are done
 * @param decisions to commit, that are not known to be done
 * @param copies by shard the copies that are complete
 */
public record Recovered(
    List<NodeId> users,
    long promised,
    @Nullable Topology topology,
    @Nullable List<Topology> over,
    VectorClock horizon,
    Map<NodeId, Long> marks,
    List<Decision> decisions,
    Map<Integer, Copy> copies) {
  /** A disk that has nothing. */
  public static final Recovered NOTHING =
      new Recovered(List.of(), 0, null, List.of(), VectorClock.ZERO, Map.of(), List.of(), Map.of());

  public Recovered {
    users = List.copyOf(users);
    over = over == null ? null : List.copyOf(over);
    marks = Map.copyOf(marks);
    decisions = List.copyOf(decisions);
    copies = Map.copyOf(copies);
  }

  /**
   * A shard's copy.
   *
   * @param versions in any order
   * @param log in any order
   * @param records the transactions that are prepared
   * @param complete up to where no commit is missing
   */
  public record Copy(
      List<Version> versions, List<LogEntry> log, List<TxRecord> records, UpTo complete) {
    public Copy {
      versions = List.copyOf(versions);
      log = List.copyOf(log);
      records = List.copyOf(records);
    }
  }

  /** A version, as in {@link StorageChange.PutVersion}. */
  public record Version(
      CompositeKey key, long sequenceNumber, TxId tid, TxId writer, byte @Nullable [] value) {}

  /**
   * The join of all commits that this disk has decided or applied, and of its horizon. A grid that
   * is founded from its disks begins its transactions at the join of those of all disks.
   */
  public VectorClock seen() {
    VectorClock seen = horizon;
    for (Decision decision : decisions) {
      VectorClock clock = decision.clock();
      seen = clock == null ? seen : seen.join(clock);
    }
    for (Copy copy : copies.values()) {
      for (LogEntry entry : copy.log()) {
        seen = seen.join(entry.clock());
      }
    }
    return seen;
  }
}
