package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.protocol.copy.EntryRoom;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that one read shows: those in memory, and those that were read from the disk for it.
 * Where one is missing, the read shows nothing, and is done again when the disk has told what was
 * missing (protocol.md, Cold reads). Confined to one thread at a time.
 */
public final class ColdValues {
  private static final byte[] UNKNOWN = {};

  private final EntryRoom memory;
  private Map<VersionId, byte[]> known = Map.of();
  private List<VersionId> missing = List.of();

  /** The versions that were missing before. */
  private Set<VersionId> asked = Set.of();

  public ColdValues(EntryRoom memory) {
    this.memory = memory;
  }

  /** The value of a version; null: a tombstone. */
  byte @Nullable [] of(int shard, byte[] key, VersionChain version) {
    if (!version.isCold()) {
      memory.touch(key);
      return version.value();
    }
    VersionId id =
        new VersionId(shard, CompositeKey.ofBytes(key), version.sequenceNumber(), version.tid());
    byte[] value = known.get(id);
    if (value != null) {
      return value;
    }
    missing = missing.isEmpty() ? new ArrayList<>() : missing;
    missing.add(id);
    return UNKNOWN;
  }

  /** Whether the read lacks values. */
  boolean isMissing() {
    return !missing.isEmpty();
  }

  /**
   * The versions whose values are missing; the read is done again when the disk was asked for them.
   * A copy has only such cold versions as the disk has.
   */
  public List<VersionId> takeMissing(int shard) {
    List<VersionId> taken = missing;
    missing = List.of();
    for (VersionId id : taken) {
      Invariant.holds(!asked.contains(id), "the disk lacks a value: shard %s, %s", shard, id);
    }
    asked = new HashSet<>(taken);
    return taken;
  }

  /** The disk has told a value. */
  public void learn(VersionId id, byte[] value) {
    known = known.isEmpty() ? new HashMap<>() : known;
    known.put(id, value);
  }
}
