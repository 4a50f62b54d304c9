package io.canopygrid.gmu.storage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
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
 * @param cuts those that the grid has made after power cuts
 * @param mayLack whether a power cut may have taken what was written last, and no topology was
 *     installed since
 */
public record Recovered(
    List<NodeId> users,
    long promised,
    @Nullable Topology topology,
    @Nullable List<Topology> over,
    VectorClock horizon,
    Map<NodeId, Long> marks,
    List<Decision> decisions,
    Map<Integer, Copy> copies,
    List<Cut> cuts,
    boolean mayLack) {
  /** A disk that has nothing. */
  public static final Recovered NOTHING =
      new Recovered(
          List.of(),
          0,
          null,
          List.of(),
          VectorClock.ZERO,
          Map.of(),
          List.of(),
          Map.of(),
          List.of(),
          false);

  public Recovered {
    users = List.copyOf(users);
    over = over == null ? null : List.copyOf(over);
    marks = Map.copyOf(marks);
    decisions = List.copyOf(decisions);
    copies = Map.copyOf(copies);
    cuts = List.copyOf(cuts);
  }

  /** The same, with other decisions and copies. */
  Recovered with(List<Decision> newDecisions, Map<Integer, Copy> newCopies) {
    return new Recovered(
        users, promised, topology, over, horizon, marks, newDecisions, newCopies, cuts, mayLack);
  }

  /**
   * The last cut with which its topology, or one that counts beside it, has founded a grid, unless
   * it is known that all members have made it; null: there is none.
   */
  public @Nullable Cut begunCut() {
    List<Topology> beside = over == null ? List.of() : over;
    if (topology == null || (over != null && over.isEmpty())) {
      return null;
    }
    Set<Long> count = new HashSet<>(List.of(topology.id()));
    beside.forEach(each -> count.add(each.id()));
    return cuts.stream()
        .filter(cut -> count.contains(cut.topology()))
        .max(Comparator.comparingLong(Cut::topology))
        .orElse(null);
  }

  /**
   * The same with the versions of all copies, before anything of them was changed.
   *
   * @param open reads a copy that is closed
   */
  public Recovered opened(IntFunction<Copy> open) {
    Map<Integer, Copy> whole = new HashMap<>();
    new TreeMap<>(copies)
        .forEach((shard, copy) -> whole.put(shard, copy.isClosed() ? open.apply(shard) : copy));
    return with(decisions, whole);
  }

  /** By shard the number up to which a complete copy lacks no commit. */
  public VectorClock complete() {
    VectorClock complete = VectorClock.ZERO;
    for (Map.Entry<Integer, Copy> copy : copies.entrySet()) {
      UpTo upTo = copy.getValue().complete();
      complete = upTo.isKnown() ? complete.with(copy.getKey(), upTo.number()) : complete;
    }
    return complete;
  }

  /**
   * A shard's copy.
   *
   * @param isClosed whether its versions are left on the disk ({@link Storage#open})
   * @param versions in any order
   * @param log in any order
   * @param records the transactions that are prepared
   * @param complete up to where no commit is missing
   */
  public record Copy(
      boolean isClosed,
      List<Version> versions,
      List<LogEntry> log,
      List<TxRecord> records,
      UpTo complete) {
    /** A copy that has nothing. */
    public static final Copy NOTHING = new Copy(List.of(), List.of(), List.of(), UpTo.NOTHING);

    public Copy {
      versions = List.copyOf(versions);
      log = List.copyOf(log);
      records = List.copyOf(records);
    }

    /** One with its versions. */
    public Copy(List<Version> versions, List<LogEntry> log, List<TxRecord> records, UpTo complete) {
      this(false, versions, log, records, complete);
    }

    /** The bytes of the values that were read. */
    public long valueBytes() {
      return versions.stream().mapToLong(version -> version.isCold() ? 0 : version.size()).sum();
    }

    /** The same without its versions, which are left on the disk. */
    public Copy closed() {
      return new Copy(true, List.of(), log, records, complete);
    }
  }

  /**
   * A version, as in {@link StorageChange.PutVersion}.
   *
   * @param value null: a tombstone, or the value was left on the disk
   * @param size of the value
   */
  public record Version(
      CompositeKey key,
      long sequenceNumber,
      TxId tid,
      TxId writer,
      byte @Nullable [] value,
      int size) {
    /** A version with its value. */
    public Version(
        CompositeKey key, long sequenceNumber, TxId tid, TxId writer, byte @Nullable [] value) {
      this(key, sequenceNumber, tid, writer, value, value == null ? 0 : value.length);
    }

    /** Whether its value was left on the disk. */
    public boolean isCold() {
      return value == null && size > 0;
    }

    /** The same, with its value left on the disk. */
    public Version cold() {
      return new Version(key, sequenceNumber, tid, writer, null, size);
    }
  }

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
