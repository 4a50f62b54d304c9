package io.canopygrid.btree.ledger;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.spi.Backoff;
import io.canopygrid.wire.CommitId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outcomes of commits that have a name (decision 7). A named commit writes a record, that it
 * has happened, in its own transaction, and validates that there is none. A look-up that finds no
 * record writes one, that the commit has not happened, in the same way. One of the two is first,
 * and the other one then finds its record. A record is dropped when its client needs it no longer,
 * or else when it is old. Thread-safe.
 */
public final class CommitLedger implements AutoCloseable {
  /**
   * How long a record is kept. A commit is accepted until its name is {@link
   * CommitId#AGE_MILLIS_MAX} old and takes an hour at most, so none comes after this.
   */
  private static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(2);

  private static final long LOOK_UP_MILLIS_MAX = 10_000;
  private static final long FORGET_EVERY_MILLIS = 500;
  private static final long SWEEP_EVERY_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Most names that wait to be forgotten; the records of further names are dropped when old. */
  private static final int FORGET_WAITING_MAX = 100_000;

  private static final int FORGET_AT_ONCE_MAX = 500;
  private static final int PAGE_ENTRIES = 1_000;
  private static final String LABEL = "canopy.commits";
  private static final byte HAPPENED = 1;
  private static final byte PREVENTED = 2;
  private static final int NAME_BYTES = 4 * Long.BYTES;
  private static final int MILLIS_AT = 2 * Long.BYTES;
  private static final Backoff CONFLICTS = new Backoff(200_000, 50_000_000);
  private static final Logger LOG = LoggerFactory.getLogger(CommitLedger.class);

  private final GmuNode node;
  private final LongSupplier millis;
  private final ConcurrentLinkedQueue<CommitId> forgotten = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicBoolean used = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor worker =
      new ScheduledThreadPoolExecutor(1, CommitLedger::thread);

  /** The ledger of a node. */
  public CommitLedger(GmuNode node) {
    this(node, System::currentTimeMillis);
  }

  /** With a clock of its own: the time since 1970 in milliseconds. */
  CommitLedger(GmuNode node, LongSupplier millis) {
    this.node = node;
    this.millis = millis;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "canopy-commits");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to drop old records; nothing runs before this was called. */
  @SuppressWarnings("FutureReturnValueIgnored") // it runs until the node is closed
  public void start() {
    if (used.compareAndSet(false, true)) {
      worker.scheduleWithFixedDelay(
          () -> quietly(this::forgetWaiting),
          FORGET_EVERY_MILLIS,
          FORGET_EVERY_MILLIS,
          TimeUnit.MILLISECONDS);
      worker.scheduleWithFixedDelay(
          () -> quietly(this::sweep),
          SWEEP_EVERY_MILLIS,
          SWEEP_EVERY_MILLIS,
          TimeUnit.MILLISECONDS);
    }
  }

  /** The record that a commit leaves. */
  public Write record(CommitId name) {
    return record(name, new byte[0]);
  }

  /** The record that a commit leaves, and that keeps a result. */
  public Write record(CommitId name, byte[] result) {
    long age = millis.getAsLong() - name.millis();
    if (Math.abs(age) > CommitId.AGE_MILLIS_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the commit's name is " + age + " ms old by this clock");
    }
    byte[] value = new byte[1 + result.length];
    value[0] = HAPPENED;
    System.arraycopy(result, 0, value, 1, result.length);
    return new Write(keyOf(name), value, null);
  }

  /** The outcome of a commit; the look-up prevents the commit where it has not happened. */
  public CommitOutcome lookUp(CommitId name) {
    CompositeKey key = keyOf(name);
    boolean old = millis.getAsLong() - name.millis() > CommitId.AGE_MILLIS_MAX;
    long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_UP_MILLIS_MAX);
    for (int attempt = 1; deadlineNanos - node.threads().nanoTime() > 0; attempt++) {
      CommitOutcome outcome = tryLookUp(key, old, deadlineNanos);
      if (outcome != null) {
        return outcome;
      }
      CONFLICTS.pause(attempt, deadlineNanos, node.threads());
    }
    return CommitOutcome.UNKNOWN;
  }

  /** Null: another transaction came between. */
  private @Nullable CommitOutcome tryLookUp(CompositeKey key, boolean old, long deadlineNanos) {
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      if (!(transaction.read(new ReadQuery.Get(key)) instanceof ReadAnswer.Got got)) {
        return CommitOutcome.UNKNOWN;
      }
      byte[] value = got.value();
      if (value != null) {
        return value[0] == HAPPENED
            ? new CommitOutcome(
                CommitState.COMMITTED,
                transaction.clock(),
                Arrays.copyOfRange(value, 1, value.length))
            : CommitOutcome.without(CommitState.NOT_COMMITTED);
      }
      if (old || got.seen().writer() != null) {
        return CommitOutcome.UNKNOWN; // there may have been a record that was dropped
      }
      Footprint prevention =
          new Footprint(
              List.of(new KeyRead(key, got.seen())),
              List.of(),
              List.of(new Write(key, new byte[] {PREVENTED}, null)));
      return transaction.commit(prevention, LABEL) instanceof Outcome.Committed
          ? CommitOutcome.without(CommitState.NOT_COMMITTED)
          : null;
    } catch (TimeoutException e) {
      return CommitOutcome.UNKNOWN;
    } finally {
      transaction.end();
    }
  }

  /** Drops the records of commits that have happened and that nobody will look up; soon. */
  public void forget(Collection<CommitId> names) {
    for (CommitId name : names) {
      if (waiting.get() < FORGET_WAITING_MAX) {
        keyOf(name);
        waiting.incrementAndGet();
        forgotten.add(name);
      }
    }
  }

  private void forgetWaiting() {
    Map<Integer, List<CompositeKey>> byShard = new HashMap<>();
    for (CommitId name = forgotten.poll(); name != null; name = forgotten.poll()) {
      waiting.decrementAndGet();
      List<CompositeKey> keys = byShard.computeIfAbsent(name.shard(), any -> new ArrayList<>());
      keys.add(keyOf(name));
      if (keys.size() == FORGET_AT_ONCE_MAX) {
        drop(keys);
        keys.clear();
      }
    }
    byShard.values().forEach(this::drop);
  }

  /** Records that cannot be dropped now are dropped when they are old. */
  private void drop(Collection<CompositeKey> keys) {
    if (keys.isEmpty()) {
      return;
    }
    List<Write> writes = keys.stream().distinct().map(key -> new Write(key, null, null)).toList();
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadline());
    try {
      Outcome outcome = transaction.commit(new Footprint(List.of(), List.of(), writes), LABEL);
      LOG.debug("dropped {} records of commits: {}", writes.size(), outcome);
    } finally {
      transaction.end();
    }
  }

  /** Drops old records in the shards that this node is the primary of. */
  void sweep() throws TimeoutException {
    for (int shard = 0; shard < node.shardMap().shards(); shard++) {
      var owners = node.topology().shard(shard).owners();
      if (!owners.isEmpty() && owners.get(0).equals(node.self())) {
        sweep(CommitRecords.kclIn(node.shardMap(), shard));
      }
    }
  }

  private void sweep(long kcl) throws TimeoutException {
    long oldest = millis.getAsLong() - KEPT_MILLIS;
    byte[] from = EntryKeys.ku(new byte[0]);
    boolean complete = false;
    while (!complete) {
      GmuTransaction transaction = node.begin(VectorClock.ZERO, deadline());
      List<CompositeKey> old = new ArrayList<>();
      try {
        ReadAnswer answer =
            transaction.read(new ReadQuery.Scan(kcl, from, null, false, PAGE_ENTRIES, true));
        if (!(answer instanceof ReadAnswer.Scanned page)) {
          return;
        }
        for (ReadAnswer.Entry entry : page.entries()) {
          byte[] name = EntryKeys.userKey(entry.ku());
          if (entry.value() != null && ByteBuffer.wrap(name).getLong(MILLIS_AT) < oldest) {
            old.add(EntryKeys.of(kcl, name));
          }
          from = KeyRange.successor(entry.ku());
        }
        complete = page.complete();
      } finally {
        transaction.end();
      }
      drop(old);
    }
  }

  private CompositeKey keyOf(CommitId name) {
    int shards = node.shardMap().shards();
    if (name.shard() < 0 || name.shard() >= shards) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a commit's shard must be from 0 to " + (shards - 1) + ": " + name.shard());
    }
    byte[] bytes =
        ByteBuffer.allocate(NAME_BYTES)
            .putLong(name.client().getMostSignificantBits())
            .putLong(name.client().getLeastSignificantBits())
            .putLong(name.millis())
            .putLong(name.number())
            .array();
    return CommitRecords.key(node.shardMap(), name.shard(), bytes);
  }

  private long deadline() {
    return node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_UP_MILLIS_MAX);
  }

  private interface Chore {
    void run() throws TimeoutException;
  }

  /** A chore that fails is done again later, also where the node is closing. */
  private void quietly(Chore chore) {
    try {
      chore.run();
    } catch (TimeoutException | RejectedExecutionException e) {
      LOG.debug("records of commits could not be dropped in time", e);
    } catch (RuntimeException e) {
      if (!worker.isShutdown()) {
        LOG.debug("records of commits could not be dropped", e);
      }
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
