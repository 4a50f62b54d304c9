package io.canopygrid.gmu.memory;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The content of a disk: a replay of the changes that were written to it, into plain maps. So it
 * says what each change means. Confined to one thread.
 */
public final class DiskImage {
  private final Map<Integer, Copy> copies = new TreeMap<>();
  private final Map<TxId, Decision> decisions = new TreeMap<>();
  private final Map<NodeId, Long> marks = new TreeMap<>();
  private VectorClock horizon = VectorClock.ZERO;
  private final List<NodeId> users = new ArrayList<>();
  private @Nullable Topology topology;
  private @Nullable List<Topology> over = List.of();
  private long promised;
  private List<Cut> cuts = List.of();
  private boolean mayLack;

  /** A commit in the order of its shard. */
  private record Place(long sequenceNumber, TxId tid) {}

  /** A shard's copy. */
  public static final class Copy {
    private final Map<CompositeKey, Map<Place, Recovered.Version>> versions = new HashMap<>();
    private final Map<Place, LogEntry> log = new HashMap<>();
    private final Map<TxId, TxRecord> records = new TreeMap<>();
    private UpTo upTo = UpTo.NOTHING;
    private boolean complete;

    /** Whether it has all that its shard had. */
    public boolean isComplete() {
      return complete;
    }

    /** The keys that have ever had a version. */
    public Set<CompositeKey> keys() {
      return Collections.unmodifiableSet(versions.keySet());
    }

    /** The versions of a key, in any order. */
    public Collection<Recovered.Version> versions(CompositeKey key) {
      return Collections.unmodifiableCollection(versions.getOrDefault(key, Map.of()).values());
    }

    /** The number of entries in the log. */
    public int logged() {
      return log.size();
    }

    private Copy copy() {
      Copy copy = new Copy();
      versions.forEach((key, of) -> copy.versions.put(key, new HashMap<>(of)));
      copy.log.putAll(log);
      copy.records.putAll(records);
      copy.upTo = upTo;
      copy.complete = complete;
      return copy;
    }
  }

  /** The copies by shard, those that are not complete included. */
  public Map<Integer, Copy> copies() {
    return Collections.unmodifiableMap(copies);
  }

  /** Another image with the same content. */
  public DiskImage copy() {
    DiskImage copy = new DiskImage();
    copies.forEach((shard, of) -> copy.copies.put(shard, of.copy()));
    copy.decisions.putAll(decisions);
    copy.marks.putAll(marks);
    copy.horizon = horizon;
    copy.topology = topology;
    copy.over = over;
    copy.users.addAll(users);
    copy.promised = promised;
    copy.cuts = cuts;
    copy.mayLack = mayLack;
    return copy;
  }

  /**
   * Replays a change.
   *
   * @throws io.canopygrid.gmu.InvariantViolation it cannot follow those before it
   */
  public void apply(StorageChange change) {
    if (change instanceof StorageChange.BeginCopy begin) {
      copies.put(begin.shard(), new Copy());
    } else if (change instanceof StorageChange.ResumeCopy resume) {
      copy(resume.shard()).complete = false;
    } else if (change instanceof StorageChange.PutWatermark put) {
      copy(put.shard()).upTo = new UpTo(put.topology(), put.number());
    } else if (change instanceof StorageChange.CompleteCopy complete) {
      copy(complete.shard()).complete = true;
    } else if (change instanceof StorageChange.EndCopy end) {
      copies.remove(end.shard());
    } else if (change instanceof StorageChange.PutVersion put) {
      Recovered.Version version =
          new Recovered.Version(
              put.key(), put.sequenceNumber(), put.tid(), put.writer(), put.value());
      copy(put.shard())
          .versions
          .computeIfAbsent(put.key(), k -> new HashMap<>())
          .put(new Place(put.sequenceNumber(), put.tid()), version);
    } else if (change instanceof StorageChange.DropVersion drop) {
      Map<Place, Recovered.Version> of = copy(drop.shard()).versions.get(drop.key());
      Place place = new Place(drop.sequenceNumber(), drop.tid());
      Invariant.holds(of != null && of.remove(place) != null, "dropped, and never put: %s", drop);
    } else if (change instanceof StorageChange.PutLog put) {
      copy(put.shard())
          .log
          .put(
              new Place(put.sequenceNumber(), put.tid()),
              new LogEntry(put.sequenceNumber(), put.tid(), put.clock()));
    } else if (change instanceof StorageChange.DropLog drop) {
      copy(drop.shard()).log.remove(new Place(drop.sequenceNumber(), drop.tid()));
    } else if (change instanceof StorageChange.PutRecord put) {
      copy(put.rec().shard()).records.put(put.rec().tid(), put.rec());
    } else if (change instanceof StorageChange.DropRecord drop) {
      copy(drop.shard()).records.remove(drop.tid());
    } else {
      applyToNode(change);
    }
  }

  private void applyToNode(StorageChange change) {
    if (change instanceof StorageChange.PutDecision put) {
      decisions.put(put.decision().tid(), put.decision());
    } else if (change instanceof StorageChange.DropDecision drop) {
      decisions.remove(drop.tid());
    } else if (change instanceof StorageChange.PutMark mark) {
      marks.put(mark.coordinator(), mark.below());
      decisions
          .keySet()
          .removeIf(
              tid -> tid.coordinator().equals(mark.coordinator()) && tid.counter() < mark.below());
    } else if (change instanceof StorageChange.PutTopology put) {
      topology = put.topology();
      over = put.over();
      mayLack = false;
    } else if (change instanceof StorageChange.PutInstalledByAll) {
      over = List.of();
    } else if (change instanceof StorageChange.PutHorizon put) {
      horizon = put.horizon();
    } else if (change instanceof StorageChange.PutUser put) {
      users.add(put.user());
    } else if (change instanceof StorageChange.PutPromise put) {
      promised = Math.max(promised, put.topology());
    } else if (change instanceof StorageChange.PutCuts put) {
      cuts = put.cuts();
    }
  }

  /** A power cut may have taken what was written last: so until a topology is installed. */
  public void losePower() {
    mayLack = true;
  }

  /** The value of a version; null: it is not there, or has none. */
  public byte @Nullable [] read(VersionId id) {
    Copy copy = copies.get(id.shard());
    Map<Place, Recovered.Version> of = copy == null ? null : copy.versions.get(id.key());
    Recovered.Version version =
        of == null ? null : of.get(new Place(id.sequenceNumber(), id.tid()));
    return version == null ? null : version.value();
  }

  private Copy copy(int shard) {
    return Invariant.present(copies.get(shard), "a change of a copy that has not begun");
  }

  /** A node begins with it: copies that are not complete are dropped. */
  public void open() {
    copies.values().removeIf(copy -> !copy.complete);
  }

  /** The content as a node begins with it. */
  public Recovered recovered() {
    return recovered(shard -> true);
  }

  /** The same, with the versions of some copies only. */
  public Recovered recovered(IntPredicate withVersions) {
    Map<Integer, Recovered.Copy> complete = new HashMap<>();
    copies.forEach((shard, copy) -> {
      if (copy.complete) {
        Recovered.Copy whole = open(copy, Long.MAX_VALUE);
        complete.put(shard, withVersions.test(shard) ? whole : whole.closed());
      }
    });
    return new Recovered(
        users,
        promised,
        topology,
        over,
        horizon,
        marks,
        new ArrayList<>(decisions.values()),
        complete,
        cuts,
        mayLack);
  }

  /**
   * A copy with its versions, and with so many bytes of values at most.
   *
   * @return null: there is none
   */
  public Recovered.@Nullable Copy open(int shard, long valueBytesMax) {
    Copy copy = copies.get(shard);
    return copy == null ? null : open(copy, valueBytesMax);
  }

  private static Recovered.Copy open(Copy copy, long valueBytesMax) {
    List<Recovered.Version> versions = new ArrayList<>();
    long left = valueBytesMax;
    for (Map<Place, Recovered.Version> of : copy.versions.values()) {
      for (Map.Entry<Place, Recovered.Version> each : of.entrySet()) {
        Recovered.Version version = each.getValue();
        boolean isSettled =
            of.size() == 1 && version.key().isOfEntry() && !copy.log.containsKey(each.getKey());
        boolean hasRoom = version.size() <= left;
        left -= hasRoom ? version.size() : 0;
        versions.add(hasRoom || !isSettled ? version : version.cold());
      }
    }
    return new Recovered.Copy(
        versions,
        new ArrayList<>(copy.log.values()),
        new ArrayList<>(copy.records.values()),
        copy.upTo);
  }
}
