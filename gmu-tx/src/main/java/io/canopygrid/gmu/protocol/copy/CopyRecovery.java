package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of what a disk has of its shard. A version has the clock of its log entry; one
 * without is below the horizon, as its log entry was dropped with that.
 */
public final class CopyRecovery {
  private static final Comparator<Recovered.Version> OLDEST_FIRST =
      Comparator.comparingLong(Recovered.Version::sequenceNumber)
          .thenComparing(Recovered.Version::tid);

  private final Recovered.Copy recovered;
  private final Map<Commit, LogEntry> log = new HashMap<>();
  private final Map<Commit, List<CompositeKey>> written = new HashMap<>();
  private final Map<CompositeKey, VersionChain> chains = new HashMap<>();

  private record Commit(long sequenceNumber, TxId tid) {}

  CopyRecovery(Recovered.Copy recovered) {
    this.recovered = recovered;
    for (LogEntry entry : recovered.log()) {
      Commit commit = new Commit(entry.sequenceNumber(), entry.tid());
      log.put(commit, entry);
    }
    chain();
  }

  /** The chains of a copy that was read from a disk, in the order of their keys. */
  public static List<KeyVersions> chainsOf(Recovered.Copy recovered) {
    List<KeyVersions> chains = new ArrayList<>();
    new CopyRecovery(recovered)
        .chains()
        .forEach((key, chain) -> chains.add(new KeyVersions(key, chain)));
    chains.sort((a, b) -> Arrays.compareUnsigned(a.key().bytes(), b.key().bytes()));
    return chains;
  }

  /** The chains of all keys. */
  Map<CompositeKey, VersionChain> chains() {
    return chains;
  }

  /** The log, oldest first. */
  List<LogEntry> log() {
    List<LogEntry> entries = new ArrayList<>(recovered.log());
    entries.sort(Comparator.comparingLong(LogEntry::sequenceNumber).thenComparing(LogEntry::tid));
    return entries;
  }

  /** The keys of which a commit has versions here. */
  List<CompositeKey> written(LogEntry entry) {
    Commit commit = new Commit(entry.sequenceNumber(), entry.tid());
    return written.getOrDefault(commit, List.of());
  }

  private void chain() {
    List<Recovered.Version> versions = new ArrayList<>(recovered.versions());
    versions.sort(OLDEST_FIRST);
    for (Recovered.Version version : versions) {
      chains.put(version.key(), above(version, chains.get(version.key())));
    }
  }

  private VersionChain above(Recovered.Version version, @Nullable VersionChain older) {
    Commit commit = new Commit(version.sequenceNumber(), version.tid());
    LogEntry entry = log.get(commit);
    if (entry != null) {
      written.computeIfAbsent(commit, c -> new ArrayList<>()).add(version.key());
    }
    if (version.isCold()) {
      Invariant.holds(entry == null && older == null, "not every snapshot sees %s", version);
      return VersionChain.cold(
          version.tid(), version.writer(), version.sequenceNumber(), version.size());
    }
    return VersionChain.of(
        version.tid(),
        version.writer(),
        version.sequenceNumber(),
        entry == null ? VectorClock.ZERO : entry.clock(),
        version.value(),
        older);
  }
}
