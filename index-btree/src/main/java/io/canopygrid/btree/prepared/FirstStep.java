package io.canopygrid.btree.prepared;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.Rehoming;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The first step of one transaction. It validates what the transaction has read, and writes instead
 * of its writes the locks, the redo log and the entry of TOP. Another change of the structure that
 * comes between is followed, as in a commit. Confined to one thread.
 */
final class FirstStep {
  static final String LABEL = "canopy.prepare";

  /** The time for which it waits for the decision of another prepared transaction. */
  private static final long HELD_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int LOCK_TIMEOUTS_MAX = 3;
  private static final int MOVES_MAX = 10_000;

  /** Most locks in the header of one subtree. */
  private static final int HEADER_LOCKS_MAX = 1_024;

  private static final Backoff AGAIN = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final Router router;
  private final OwnerNumbers numbers;
  private final TreeTransaction transaction;
  private final TreeTransaction.Staged staged;
  private final BranchId id;
  private final String label;
  private final long millis;
  private final long deadlineNanos;
  private int attempts;
  private int lockTimeouts;
  private long heldSinceNanos;
  private boolean isHeld;

  FirstStep(
      GmuNode node,
      OwnerNumbers numbers,
      TreeTransaction transaction,
      TreeTransaction.Staged staged,
      PreparedEntry wanted) {
    this.node = node;
    this.router = new Router(node);
    this.numbers = numbers;
    this.transaction = transaction;
    this.staged = staged;
    this.id = wanted.id();
    this.label = wanted.label();
    this.millis = wanted.millis();
    this.deadlineNanos = transaction.deadlineNanos();
  }

  /** Prepares, or throws why not; the clock of the step. */
  VectorClock run() throws TimeoutException {
    while (true) {
      VectorClock clock = attempt();
      if (clock != null) {
        return clock;
      }
      if (deadlineNanos - node.threads().nanoTime() <= 0) {
        throw new TimeoutException("something was in the way of each of " + attempts + " prepares");
      }
      AGAIN.pause(++attempts, deadlineNanos, node.threads());
    }
  }

  /** Null: something was in the way. */
  private @Nullable VectorClock attempt() throws TimeoutException {
    GmuTransaction step = node.begin(transaction.clock(), deadlineNanos);
    try {
      SnapshotReads reads = new SnapshotReads(step, router, deadlineNanos);
      Footprint homed = homed(reads);
      Footprint footprint = homed == null ? null : footprint(reads, homed);
      if (footprint == null) {
        return null;
      }
      Outcome outcome = step.commit(footprint, LABEL);
      if (outcome instanceof Outcome.Committed committed) {
        return committed.clock();
      }
      if (outcome instanceof Outcome.Aborted aborted) {
        refused(aborted);
        return null;
      }
      throw Failures.unknown(
          ErrorCode.COMMIT_UNKNOWN,
          "the cluster did not tell whether the transaction is prepared",
          transaction.id());
    } finally {
      step.end();
    }
  }

  /** Throws where another attempt cannot help. */
  private void refused(Outcome.Aborted aborted) {
    CompositeKey key = aborted.key();
    boolean isOfBody = key != null && SubtreeHeader.isSubtree(key.kcl()) && !key.isHeader();
    switch (aborted.reason()) {
      case MOVED, TOPOLOGY_CHANGED -> {}
      case STALE_READ -> {
        if (isOfBody) {
          throw transaction.refusal(aborted);
        }
      }
      case LOCK_TIMEOUT -> {
        if (isOfBody && ++lockTimeouts > LOCK_TIMEOUTS_MAX) {
          throw transaction.refusal(aborted);
        }
      }
      case SHARD_UNAVAILABLE, TOO_OLD, DISK_FULL, DISK_SLOW ->
          throw transaction.refusal(isOfBody ? aborted : withoutKey(aborted));
    }
  }

  private static Outcome.Aborted withoutKey(Outcome.Aborted aborted) {
    return new Outcome.Aborted(
        aborted.reason(), null, aborted.other(), aborted.otherLabel(), aborted.header());
  }

  // ---- places

  /** The reads and writes where they are in the step's snapshot; null: it is not clear yet. */
  private @Nullable Footprint homed(SnapshotReads reads) throws TimeoutException {
    Footprint now = staged.footprint();
    Set<Long> refused = new HashSet<>();
    Set<Long> right = new HashSet<>();
    for (int moves = 0; moves < MOVES_MAX; moves++) {
      Long kcl = nextOf(now, right);
      if (kcl == null) {
        return now;
      }
      SnapshotReads.Header read = reads.header(kcl);
      if (read == null) {
        return null;
      }
      SubtreeHeader header = read.header();
      if (header.isDropped()) {
        throw dropped(header.index());
      }
      Footprint homed =
          Rehoming.of(
              now,
              kcl,
              header,
              (from, its, of) -> router.towards(from, its, of, refused::contains));
      if (isSame(homed, now)) {
        right.add(kcl);
      } else {
        refused.add(kcl);
        right.clear();
        now = homed;
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // the very same footprint: nothing has moved
  private static boolean isSame(Footprint homed, Footprint now) {
    return homed == now;
  }

  /** A subtree that is used and has not been looked at; null: there is none. */
  private static @Nullable Long nextOf(Footprint footprint, Set<Long> right) {
    for (KeyRead read : footprint.reads()) {
      if (!right.contains(read.key().kcl())) {
        return read.key().kcl();
      }
    }
    for (RangeRead range : footprint.ranges()) {
      if (!right.contains(range.kcl())) {
        return range.kcl();
      }
    }
    for (Write write : footprint.writes()) {
      if (!right.contains(write.key().kcl())) {
        return write.key().kcl();
      }
    }
    return null;
  }

  private CanopyException dropped(int number) {
    IndexRef index = staged.indexes().get(number);
    IndexRef named = index == null ? staged.indexes().values().iterator().next() : index;
    return Failures.dropped(named, transaction.id());
  }

  // ---- the step

  /** All that the step validates and writes; null: a prepared transaction is in the way. */
  private @Nullable Footprint footprint(SnapshotReads reads, Footprint homed)
      throws TimeoutException {
    int shard = router.shardOf(homed.writes().get(0).key().kcl());
    long owner = numbers.inShard(shard);
    long log = RedoLog.kclIn(node.shardMap(), shard);
    Map<Long, List<KeyLock>> locks = LockPlan.of(owner, homed);
    List<KeyRead> validated = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    SortedMap<Integer, List<KeyLock>> byIndex = new TreeMap<>();
    Map<Long, SubtreeHeader> headers = new LinkedHashMap<>();
    for (Map.Entry<Long, List<KeyLock>> mine : locks.entrySet()) {
      SnapshotReads.Header read = reads.header(mine.getKey());
      if (read == null || isInTheWay(read.header(), mine.getValue())) {
        return null;
      }
      // First, so that a change of the structure is not taken for one of an entry.
      validated.add(read.read());
      SubtreeHeader held = read.header().withMoreLocks(mine.getValue());
      writes.add(new Write(CompositeKey.header(read.kcl()), held.encode(), null));
      headers.put(read.kcl(), read.header());
      byIndex
          .computeIfAbsent(read.header().index(), any -> new ArrayList<>())
          .addAll(mine.getValue());
    }
    addIndexes(reads, validated);
    PreparedEntry entry = entry(owner, log, homed);
    validated.add(free(reads, entry));
    validated.add(new KeyRead(RedoLog.key(log, owner, 0), Seen.ABSENT));
    addReads(homed, validated);
    writes.addAll(RedoLog.writes(log, owner, byIndex, redo(homed, headers)));
    writes.add(new Write(entry.key(), entry.value(), null));
    return new Footprint(validated, homed.ranges(), writes);
  }

  private PreparedEntry entry(long owner, long log, Footprint homed) {
    SortedMap<Integer, String> names = new TreeMap<>();
    staged.indexes().forEach((number, index) -> names.put(number, index.name()));
    return new PreparedEntry(
        id,
        PreparedTransaction.State.IN_DOUBT,
        owner,
        log,
        millis,
        label,
        names,
        homed.writes().size());
  }

  private static List<RedoLog.Redo> redo(Footprint homed, Map<Long, SubtreeHeader> headers) {
    List<RedoLog.Redo> redo = new ArrayList<>(homed.writes().size());
    for (Write write : homed.writes()) {
      SubtreeHeader header = headers.get(write.key().kcl());
      int index = header == null ? 0 : header.index();
      redo.add(new RedoLog.Redo(index, EntryKeys.userKey(write.key()), write.value()));
    }
    return redo;
  }

  /** The indexes stay: one that is dropped beside the step makes it fail. */
  private void addIndexes(SnapshotReads reads, List<KeyRead> validated) throws TimeoutException {
    for (IndexRef index : staged.indexes().values()) {
      CompositeKey key = CatalogEntry.key(index.name());
      ReadAnswer.Got found = reads.get(key);
      byte[] value = found.value();
      if (value == null || CatalogEntry.numberOf(value) != index.number()) {
        throw Failures.dropped(index, transaction.id());
      }
      validated.add(new KeyRead(key, found.seen()));
    }
  }

  /** The claim that no other transaction is prepared under the id. */
  private KeyRead free(SnapshotReads reads, PreparedEntry entry) throws TimeoutException {
    ReadAnswer.Got found = reads.get(entry.key());
    if (found.value() != null) {
      throw Failures.failure(
          ErrorCode.INVALID_ARGUMENT,
          "a transaction is prepared under id " + id + " already",
          transaction.id(),
          null);
    }
    return new KeyRead(entry.key(), found.seen());
  }

  /** Adds what the body has read. */
  private static void addReads(Footprint homed, List<KeyRead> validated) {
    validated.addAll(homed.reads());
  }

  /** Whether a prepared transaction holds what this one needs; throws after a while. */
  private boolean isInTheWay(SubtreeHeader header, List<KeyLock> mine) {
    KeyLock holder = holder(header, mine);
    if (holder == null) {
      return false;
    }
    long now = node.threads().nanoTime();
    if (!isHeld) {
      isHeld = true;
      heldSinceNanos = now;
    }
    if (now - heldSinceNanos >= HELD_PATIENCE_NANOS) {
      IndexRef index = staged.indexes().get(header.index());
      throw index == null
          ? dropped(header.index())
          : transaction.held(index, holder.from(), holder);
    }
    return true;
  }

  private static @Nullable KeyLock holder(SubtreeHeader header, List<KeyLock> mine) {
    if (header.locks().size() >= HEADER_LOCKS_MAX) {
      return header.locks().get(0);
    }
    for (KeyLock lock : header.locks()) {
      for (KeyLock own : mine) {
        if (own.excludes(lock)) {
          return lock;
        }
      }
    }
    return null;
  }
}
