package io.canopygrid.btree.ledger;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.wire.CommitId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits that no client will look up any more, whose records {@link LedgerKeeper} drops soon.
 * Thread-safe.
 */
public final class ForgottenCommits {
  private static final long TIMEOUT_MILLIS = 10_000;

  /** Most names that wait to be forgotten; the records of further names are dropped when old. */
  private static final int WAITING_MAX = 100_000;

  private static final int AT_ONCE_MAX = 500;
  private static final Logger LOG = LoggerFactory.getLogger(ForgottenCommits.class);

  private final GmuNode node;
  private final CommitKeys keys;
  private final ConcurrentLinkedQueue<CommitId> forgotten = new ConcurrentLinkedQueue<>();

  /** The size of {@link #forgotten}, which may be one too high for a moment. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Drops records through a node. */
  public ForgottenCommits(GmuNode node) {
    this.node = node;
    this.keys = new CommitKeys(node.shardMap());
  }

  /** Soon drops the records of commits that have happened and that nobody will look up. */
  public void forget(Collection<CommitId> names) {
    for (CommitId name : names) {
      if (waiting.get() < WAITING_MAX) {
        keys.of(name);
        waiting.incrementAndGet();
        forgotten.add(name);
      }
    }
  }

  /** Drops the records of the names that wait. */
  void dropWaiting() {
    Map<Integer, List<CompositeKey>> byShard = new HashMap<>();
    for (CommitId name = forgotten.poll(); name != null; name = forgotten.poll()) {
      waiting.decrementAndGet();
      List<CompositeKey> records = byShard.computeIfAbsent(name.shard(), any -> new ArrayList<>());
      records.add(keys.of(name));
      if (records.size() == AT_ONCE_MAX) {
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
    long deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      Outcome outcome =
          transaction.commit(new Footprint(List.of(), List.of(), writes), CommitLedger.LABEL);
      LOG.debug("dropped {} records of commits: {}", writes.size(), outcome);
    } finally {
      transaction.end();
    }
  }
}
