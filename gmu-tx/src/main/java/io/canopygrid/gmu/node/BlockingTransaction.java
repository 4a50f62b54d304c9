package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.Begun;
import io.canopygrid.gmu.protocol.read.LocalRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A transaction whose calls wait on the caller's thread. */
public final class BlockingTransaction implements GmuTransaction {
  /** The node where the transaction began. */
  final TransactionSteps node;

  /** The transaction's handle at the node. */
  final long id;

  private final long deadlineNanos;
  private VectorClock clock;
  private ShardSet hasRead;
  private boolean nearest;
  private long asked;

  /** Hears how the next commit goes on; null: nobody does, as mostly. */
  private @Nullable CommitProgress progress;

  /** Reads asked for ahead, and not taken yet. Another thread may {@link #end} the transaction. */
  private volatile List<OpenAhead> ahead = List.of();

  /** Nothing more can be asked: it has committed, aborted for good, or its caller gave up. */
  private volatile boolean ended;

  /**
   * A transaction that has begun.
   *
   * @param begun its handle at the node, and where its snapshot begins
   * @param hasRead the shards whose state is fixed at that clock already
   */
  public BlockingTransaction(
      TransactionSteps node, Begun begun, ShardSet hasRead, long deadlineNanos) {
    this.node = node;
    this.id = begun.transaction();
    this.clock = begun.clock();
    this.hasRead = hasRead;
    this.deadlineNanos = deadlineNanos;
  }

  @Override
  public ReadAnswer read(ReadQuery query) throws TimeoutException {
    checkActive();
    LocalRead read = atHand(query);
    return take(read == null ? ask(List.of(query)).get(0) : read);
  }

  @Override
  public @Nullable ReadAnswer readAtHand(ReadQuery query) {
    checkActive();
    LocalRead read = atHand(query);
    return read == null ? null : take(read);
  }

  @Override
  public List<ReadAnswer> readAll(List<ReadQuery> queries, IntConsumer asked)
      throws TimeoutException {
    checkActive();
    @Nullable ReadAnswer[] answers = new ReadAnswer[queries.size()];
    // Reads at hand come first: so the others are asked in the snapshot that those have fixed.
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      LocalRead read = atHand(queries.get(i));
      if (read == null) {
        open.add(i);
      } else {
        answers[i] = take(read);
      }
    }
    List<LocalRead> reads = ask(open.stream().map(queries::get).toList());
    open.forEach(asked::accept);
    List<Integer> again = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      LocalRead read = reads.get(i);
      if (!hasFixedTheSnapshot(read.answer()) || read.agrees(clock, hasRead)) {
        answers[open.get(i)] = take(read);
      } else {
        again.add(open.get(i));
      }
    }
    for (int i : again) {
      long before = this.asked;
      answers[i] = read(queries.get(i));
      if (this.asked > before) {
        asked.accept(i);
      }
    }
    return List.of(answers);
  }

  /** Goes on from an answer that is one in this snapshot. */
  private ReadAnswer take(LocalRead read) {
    if (hasFixedTheSnapshot(read.answer())) {
      clock = clock.join(read.clock());
      hasRead = hasRead.with(read.shard());
    }
    return read.answer();
  }

  @Override
  public void readNearest() {
    nearest = true;
  }

  @Override
  public long asked() {
    return asked;
  }

  @Override
  public @Nullable ReadAnswer fixAll() throws TimeoutException {
    checkActive();
    if (!hasRead.isEmpty()) {
      throw new IllegalStateException("the transaction has read: " + hasRead);
    }
    ShardMap shards = node.shardMap();
    List<ReadQuery> queries = new ArrayList<>();
    for (int shard = 0; shard <= shards.top(); shard++) {
      queries.add(new ReadQuery.Get(CompositeKey.header(shards.kclIn(shard))));
    }
    for (LocalRead read : ask(queries)) {
      if (!hasFixedTheSnapshot(read.answer())) {
        return read.answer();
      }
      clock = clock.join(read.clock());
    }
    hasRead = shards.all();
    return null;
  }

  /** The answer that this node has itself, at once; null: it has to ask. */
  private @Nullable LocalRead atHand(ReadQuery query) {
    LocalRead read = node.tryRead(query, clock, hasRead);
    if (read == null && nearest) {
      read = node.tryReadNearest(query, clock, hasRead);
    }
    // Asked after the read: a thread that was stopped in it may have looked at what was dropped
    // since. As long as the transaction is not old, nothing that it needs is dropped.
    if (read != null && node.isOld(id)) {
      return new LocalRead(read.shard(), clock, new ReadAnswer.TooOld());
    }
    return read;
  }

  private List<LocalRead> ask(List<ReadQuery> queries) throws TimeoutException {
    if (queries.isEmpty()) {
      return List.of();
    }
    asked += queries.size();
    boolean alone = queries.size() == 1;
    try (TransactionSteps.Asked reads =
        node.ask(id, queries, alone, clock, hasRead, deadlineNanos)) {
      List<LocalRead> answers = await(reads, queries);
      // A thread that was stopped for long may find its transaction ended meanwhile, without
      // answers.
      checkActive();
      return answers;
    }
  }

  private List<LocalRead> await(TransactionSteps.Asked reads, List<ReadQuery> queries)
      throws TimeoutException {
    List<LocalRead> read;
    try {
      read = reads.await(deadlineNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException("interrupted while it waited for a read").initCause(e);
    }
    if (read == null) {
      throw new TimeoutException("no answer in time from the owner of kcl " + queries.get(0).kcl());
    }
    return read;
  }

  @Override
  public @Nullable Ahead askAhead(List<ReadQuery> queries) {
    checkActive();
    if (node.tryRead(queries.get(0), clock, hasRead) != null) {
      return null;
    }
    asked += queries.size();
    OpenAhead open =
        new OpenAhead(queries, node.ask(id, queries, false, clock, hasRead, deadlineNanos));
    if (ahead.isEmpty()) {
      ahead = new CopyOnWriteArrayList<>();
    }
    ahead.add(open);
    return open;
  }

  /** Reads asked for ahead. Its end tells the node that no caller waits for them. */
  private final class OpenAhead implements Ahead {
    private final List<ReadQuery> queries;
    private final TransactionSteps.Asked reads;

    OpenAhead(List<ReadQuery> queries, TransactionSteps.Asked reads) {
      this.queries = queries;
      this.reads = reads;
    }

    @Override
    public List<@Nullable ReadAnswer> take() throws TimeoutException {
      checkActive();
      try {
        List<@Nullable ReadAnswer> answers = new ArrayList<>();
        for (LocalRead read : await(reads, queries)) {
          boolean fits = hasFixedTheSnapshot(read.answer()) && read.agrees(clock, hasRead);
          answers.add(fits ? BlockingTransaction.this.take(read) : null);
        }
        return answers;
      } finally {
        close();
      }
    }

    @Override
    public void close() {
      reads.close();
      ahead.remove(this);
    }
  }

  /** Whether the shard looked into the snapshot to answer. */
  private static boolean hasFixedTheSnapshot(ReadAnswer answer) {
    return !(answer instanceof ReadAnswer.TooOld || answer instanceof ReadAnswer.Unavailable);
  }

  @Override
  public void named(String label) {
    if (!label.isEmpty()) {
      node.named(id, label);
    }
  }

  @Override
  public void watch(CommitProgress progress) {
    this.progress = progress;
  }

  @Override
  public Outcome commit(Footprint footprint, String label) {
    checkActive();
    ahead.forEach(OpenAhead::close);
    if (footprint.reads().isEmpty()
        && footprint.ranges().isEmpty()
        && footprint.writes().isEmpty()) {
      end();
      return new Outcome.Committed(clock);
    }
    CommitProgress watcher = progress;
    if (watcher != null) {
      progress = null;
      node.watch(id, watcher);
    }
    Outcome outcome;
    try {
      outcome = node.commit(id, clock, footprint, label, deadlineNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcome = new Outcome.Unknown();
    }
    ended = !mayCommitAgain(outcome);
    node.ended(outcome instanceof Outcome.Committed committed ? committed.clock() : clock);
    if (outcome instanceof Outcome.Unknown) {
      // The commit may still be refused and leave the transaction open, with no caller to end it.
      node.end(id);
    }
    return outcome;
  }

  private static boolean mayCommitAgain(Outcome outcome) {
    return outcome instanceof Outcome.Aborted aborted
        && (aborted.reason() == AbortReason.MOVED
            || aborted.reason() == AbortReason.TOPOLOGY_CHANGED
            || aborted.reason() == AbortReason.LOCK_TIMEOUT);
  }

  @Override
  public void end() {
    ahead.forEach(OpenAhead::close);
    if (!ended) {
      ended = true;
      node.ended(clock);
      node.end(id);
    }
  }

  @Override
  public VectorClock clock() {
    return clock;
  }

  private void checkActive() {
    if (ended) {
      throw new IllegalStateException("the transaction has ended");
    }
  }
}
