package io.canopygrid.btree.ledger;

import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.wire.CommitId;
import java.util.ArrayList;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the records of commits that no client will look up any more: records that their clients
 * forget, and old records. A thread of its own does the work. Thread-safe.
 */
public final class ForgottenCommits implements AutoCloseable {
  /**
   * The time for which a record is kept. A commit is accepted until its name is {@link
   * CommitId#AGE_MILLIS_MAX} old and takes an hour at most, so none comes after this.
   */
  private static final long KEPT_MILLIS = TimeUnit.HOURS.toMillis(2);

  private static final long TIMEOUT_MILLIS = 10_000;
  private static final long FORGET_EVERY_MILLIS = 500;
  private static final long SWEEP_EVERY_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Most names that wait to be forgotten; the records of further names are dropped when old. */
  private static final int FORGET_WAITING_MAX = 100_000;

  private static final int FORGET_AT_ONCE_MAX = 500;
  private static final int PAGE_ENTRIES = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(ForgottenCommits.class);

  private final GmuNode node;
  private final CommitKeys keys;
  private final LongSupplier millis;
  private final ConcurrentLinkedQueue<CommitId> forgotten = new ConcurrentLinkedQueue<>();

  /** The size of {@link #forgotten}, which may be one too high for a moment. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final AtomicBoolean started = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor worker =
      new ScheduledThreadPoolExecutor(1, ForgottenCommits::thread);

  /** Drops records through a node. */
  public ForgottenCommits(GmuNode node) {
    this(node, System::currentTimeMillis);
  }

  /** With a clock of its own: the time since 1970 in milliseconds. */
  ForgottenCommits(GmuNode node, LongSupplier millis) {
    this.node = node;
    this.keys = new CommitKeys(node.shardMap());
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
    if (started.compareAndSet(false, true)) {
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

  /** Soon drops the records of commits that have happened and that nobody will look up. */
  public void forget(Collection<CommitId> names) {
    for (CommitId name : names) {
      if (waiting.get() < FORGET_WAITING_MAX) {
        keys.of(name);
        waiting.incrementAndGet();
        forgotten.add(name);
      }
    }
  }

  private void forgetWaiting() {
    Map<Integer, List<CompositeKey>> byShard = new HashMap<>();
    for (CommitId name = forgotten.poll(); name != null; name = forgotten.poll()) {
      waiting.decrementAndGet();
      List<CompositeKey> records = byShard.computeIfAbsent(name.shard(), any -> new ArrayList<>());
      records.add(keys.of(name));
      if (records.size() == FORGET_AT_ONCE_MAX) {
        drop(records);
        records.clear();
      }
    }
    byShard.values().forEach(this::drop);
  }

  /** Records that cannot be dropped now are dropped when they are old. */
  private void drop(Collection<CompositeKey> records) {
    if (records.isEmpty()) {
      return;
    }
    List<Write> writes =
        records.stream().distinct().map(key -> new Write(key, null, null)).toList();
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadline());
    try {
      Outcome outcome =
          transaction.commit(new Footprint(List.of(), List.of(), writes), CommitLedger.LABEL);
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
          if (entry.value() != null && CommitKeys.millisOf(entry.ku()) < oldest) {
            old.add(EntryKeys.of(kcl, EntryKeys.userKey(entry.ku())));
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

  private long deadline() {
    return node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
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
