package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.HorizonHolds;
import io.canopygrid.gmu.protocol.HotEntries;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.hot.HotKey;
import io.canopygrid.gmu.protocol.hot.ReadRate;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.Transport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and commits for the transactions that began at one node. Reads that the node's own copies
 * can answer do not take the protocol lock, nor does the end of a transaction that has done nothing
 * else. Thread-safe.
 */
final class HostedTransactions implements TransactionSteps {
  /** Of transactions that are told by their labels. */
  private static final int OLDEST_MAX = 8;

  /** The lowest level whose nodes know clocks that name a part only. */
  private static final int NARROW_CLOCKS_LEVEL = 9;

  private final ShardMap shardMap;
  private final ProtocolNode protocol;
  private final ProtocolDriver driver;
  private final Transport transport;
  private final ReadWaiters reads;
  private final CommitWaiters commits;
  private final GivenNumbers numbers;
  private final HorizonHolds holds;
  private final FloorTimes floors = new FloorTimes();

  /** Whether the shards can be asked in this partition. */
  private volatile boolean available = true;

  HostedTransactions(
      ShardMap shardMap,
      ProtocolNode protocol,
      ProtocolDriver driver,
      Transport transport,
      ReadWaiters reads,
      CommitWaiters commits,
      GivenNumbers numbers,
      GridLevel level) {
    this.shardMap = shardMap;
    this.protocol = protocol;
    this.driver = driver;
    this.transport = transport;
    this.reads = reads;
    this.commits = commits;
    this.numbers = numbers;
    this.holds = protocol.holds();
    protocol.allowNarrowClocks(() -> level.isAtLeast(NARROW_CLOCKS_LEVEL));
  }

  /** To be called at times. */
  void onTick() {
    floors.note(holds.floor(), System.nanoTime());
  }

  /** The hot entries that are served and kept here. */
  HotFigures hotEntries() {
    HotEntries.Status now = driver.ask(node -> node.hot().status());
    return new HotFigures(
        now.isOn() ? HotFigures.Mode.ON : HotFigures.Mode.OFF,
        now.hot().stream().map(HostedTransactions::figures).toList(),
        now.kept().size(),
        now.answered(),
        now.pushes());
  }

  private static HotFigures.Key figures(HotKey hot) {
    ReadRate rate = hot.rate();
    return new HotFigures.Key(hot.key(), rate.perSecond(), rate.atCopiesPerSecond(), hot.keepers());
  }

  /** The past that is kept here, and what keeps it. */
  HeldVersions heldVersions() {
    HorizonHolds.Clocks clocks = driver.ask(node -> holds.clocks());
    VectorClock floor = clocks.floor();
    long now = System.nanoTime();
    return new HeldVersions(
        protocol.memory().olderVersions(),
        clocks.logged(),
        floors.ageNanos(clocks.horizon(), floor, now),
        holds.oldest(OLDEST_MAX),
        clocks.undoneCommits(),
        floors.ageNanos(clocks.undone(), floor, now),
        floors.ageNanos(clocks.forced(), floor, now));
  }

  @Override
  public void named(long transaction, String label) {
    holds.named(transaction, label);
  }

  /** Callers that wait for an answer when the shards become unavailable wait no longer. */
  void setAvailable(boolean available) {
    this.available = available;
    if (!available) {
      reads.abandon();
      commits.abandon();
    }
  }

  boolean isAvailable() {
    return available;
  }

  @Override
  public ShardMap shardMap() {
    return shardMap;
  }

  /** Does not take the lock. */
  @Override
  public @Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    if (driver.isEnded()) {
      throw driver.closed();
    }
    if (!available) {
      return unavailable(query, clock);
    }
    try {
      long topology = Invariant.present(driver.topology(), "a read before the first topology").id();
      return protocol.tryRead(topology, query, clock, hasRead);
    } catch (InvariantViolation e) {
      throw driver.haltFor(e);
    }
  }

  /**
   * Does not take the lock. To be called after tryRead, which looks whether the node may answer.
   */
  @Override
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    try {
      return protocol.tryReadNearest(query, clock, hasRead);
    } catch (InvariantViolation e) {
      throw driver.haltFor(e);
    }
  }

  @Override
  public Asked ask(
      long transaction,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long deadlineNanos) {
    ReadWaiters.Batch batch = reads.open(queries.size(), () -> unanswered(queries, clock));
    ProtocolStep read =
        (node, now, effects) ->
            node.read(transaction, batch.first(), queries, alone, clock, hasRead, now, effects);
    if (!isAsked(read, alone, batch, deadlineNanos)) {
      batch.abandon();
    }
    return batch;
  }

  private boolean isAsked(
      ProtocolStep read, boolean alone, ReadWaiters.Batch batch, long deadlineNanos) {
    try {
      return alone
          ? transport.exchange(() -> driver.step(read), batch::isDone, deadlineNanos)
          : driver.step(read);
    } catch (InvariantViolation e) {
      driver.haltFor(e);
      return false;
    }
  }

  /** Says why there are no answers; null: they have not come in time. */
  private @Nullable List<LocalRead> unanswered(List<ReadQuery> queries, VectorClock clock) {
    if (driver.isEnded()) {
      throw driver.closed();
    }
    return available ? null : queries.stream().map(query -> unavailable(query, clock)).toList();
  }

  private LocalRead unavailable(ReadQuery query, VectorClock clock) {
    int shard = shardMap.shardOf(query.kcl());
    return new LocalRead(shard, clock, new ReadAnswer.Unavailable(shard));
  }

  @Override
  public boolean isOld(long transaction) {
    return protocol.isOld(transaction);
  }

  /** A step of its own: a commit that nobody watches pays nothing for those that are watched. */
  @Override
  public void watch(long transaction, CommitProgress progress) {
    try {
      driver.step((node, now, effects) -> node.watch(transaction, progress));
    } catch (InvariantViolation e) {
      driver.haltFor(e);
    }
  }

  @Override
  public Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos)
      throws InterruptedException {
    if (!available) {
      end(transaction);
      return Outcome.Aborted.UNAVAILABLE;
    }
    Waiter<Effect.Ended> waiter = commits.open(transaction);
    try {
      ProtocolStep commit =
          (node, now, effects) -> node.commit(transaction, clock, footprint, label, now, effects);
      boolean asked = transport.exchange(() -> driver.step(commit), waiter::isDone, deadlineNanos);
      if (!asked) {
        throw driver.closed();
      }
      Effect.Ended outcome = waiter.await(deadlineNanos);
      if (outcome == null) {
        driver.step((node, now, effects) -> node.giveUp(transaction, now, effects));
        outcome = waiter.await(System.nanoTime());
      }
      return outcome == null ? new Outcome.Unknown() : outcome.outcome();
    } catch (InvariantViolation e) {
      driver.haltFor(e);
      return new Outcome.Unknown();
    } finally {
      commits.close(transaction);
    }
  }

  @Override
  public void ended(VectorClock clock) {
    numbers.learn(clock);
  }

  @Override
  public void end(long transaction) {
    try {
      if (!protocol.tryEnd(transaction)) {
        driver.step((node, now, effects) -> node.end(transaction, now, effects));
      }
    } catch (InvariantViolation e) {
      driver.haltFor(e);
    }
  }
}
