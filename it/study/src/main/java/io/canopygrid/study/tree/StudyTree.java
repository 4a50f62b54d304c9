package io.canopygrid.study.tree;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.transaction.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The study trees at one node: runs operations on any of them, those of others too that move here.
 * Thread-safe.
 *
 * <p>Differences from the paper: splits happen in the operation's transaction in all variants (the
 * original delays them), pages are never merged, and the part above the cut-off was above it when
 * the tree was built.
 */
public final class StudyTree implements NodeCalls.Server, AutoCloseable {
  private static final Backoff AGAIN = new Backoff(200_000, 20_000_000);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int WORKERS = 16;
  private static final int WAITING_MAX = 10_000;

  private final GmuNode node;
  private final Session session = new Session();
  private final List<NodeThreads.Worker> workers = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final LongAdder moved = new LongAdder();
  private final LongAdder aborts = new LongAdder();

  /** Serves the node's questions from now on; the node stays its owner's. */
  public StudyTree(GmuNode node) {
    this.node = node;
    for (int i = 0; i < WORKERS; i++) {
      workers.add(node.threads().worker("study-" + node.self() + "-" + i, WAITING_MAX));
    }
    node.calls().serve(this);
  }

  /** The number of operations that have moved from here to other nodes. */
  public long moved() {
    return moved.sum();
  }

  /** The number of attempts at operations of this node that have failed and were made again. */
  public long aborts() {
    return aborts.sum();
  }

  /** The clock of what was done here. */
  public VectorClock clock() {
    return session.clock();
  }

  /** Notes the clock of what others have done. */
  public void saw(VectorClock clock) {
    session.saw(clock);
  }

  /**
   * Runs an operation as a transaction, and repeats it after each conflict.
   *
   * @throws CanopyException {@link ErrorCode#TIMEOUT}, {@link ErrorCode#SHARD_UNAVAILABLE}, {@link
   *     ErrorCode#COMMIT_UNKNOWN}
   */
  public OperationResult run(TreeLayout layout, Operation operation) {
    long deadlineNanos = node.threads().nanoTime() + TIMEOUT_NANOS;
    boolean exact = false;
    for (int attempt = 1; ; attempt++) {
      AttemptOutcome ending = attempt(layout, operation, exact, deadlineNanos);
      if (ending instanceof AttemptOutcome.Done done) {
        session.saw(done.clock());
        return done.found();
      }
      if (ending instanceof AttemptOutcome.Failed failed) {
        throw new CanopyException(ErrorCode.INTERNAL_ERROR, failed.why());
      }
      if (node.threads().nanoTime() - deadlineNanos >= 0) {
        throw new CanopyException(ErrorCode.TIMEOUT, attempt + " attempts at " + operation.kind());
      }
      exact = ending instanceof AttemptOutcome.Stale;
      if (!exact) {
        aborts.increment();
        AGAIN.pause(attempt, deadlineNanos, node.threads());
      }
    }
  }

  private AttemptOutcome attempt(
      TreeLayout layout, Operation operation, boolean exact, long deadlineNanos) {
    try (PageTransaction tx = new PageTransaction(node, layout, session.clock(), deadlineNanos)) {
      PageRef from = layout.root();
      if (layout.variant().coLocated() && !exact) {
        Descent way = Descent.toLevel(tx, from, operation.key(), layout.cutLevel() - 1);
        if (way == null) {
          return new AttemptOutcome.Stale();
        }
        from = way.end();
        NodeId owner = ownerOf(from);
        if (owner != null && !owner.equals(node.self())) {
          return move(
              new MigratedOperation(layout, operation, from, tx.clock(), tx.reads()), tx, owner);
        }
      }
      return here(tx, layout, operation, from, exact);
    } catch (TimeoutException e) {
      throw new CanopyException(ErrorCode.TIMEOUT, "no answer to a page's read", e);
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.SNAPSHOT_TOO_OLD) {
        return new AttemptOutcome.Conflict();
      }
      throw e;
    }
  }

  private @Nullable NodeId ownerOf(PageRef page) {
    int shard = node.shardMap().shardOf(page.kcl());
    List<NodeId> owners = node.topology().shard(shard).owners();
    return owners.isEmpty() ? null : owners.get(0);
  }

  private AttemptOutcome move(MigratedOperation operation, PageTransaction tx, NodeId owner) {
    tx.close();
    moved.increment();
    CompletableFuture<byte[]> answer = node.calls().ask(owner, operation.toBytes());
    try {
      return AttemptOutcome.of(answer.get(TIMEOUT_NANOS, TimeUnit.NANOSECONDS));
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new CanopyException(ErrorCode.SHARD_UNAVAILABLE, owner + " did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted at " + owner, e);
    }
  }

  /** Runs it at this node, from a page on. */
  private AttemptOutcome here(
      PageTransaction tx, TreeLayout layout, Operation operation, PageRef from, boolean exact)
      throws TimeoutException {
    byte[] key = operation.key();
    Descent way = Descent.toLeaf(tx, from, key, exact);
    if (way == null) {
      return new AttemptOutcome.Stale();
    }
    Page leaf = way.leaf();
    byte[] before = leaf.get(key);
    OperationResult found = OperationResult.of(key, before);
    PageEdits edits = new PageEdits(tx, layout, node.threads());
    switch (operation.kind()) {
      case GET -> {}
      case SCAN -> found = scan(tx, leaf, key, operation.limit());
      case PUT -> edits.put(way, key, leaf.with(key, operation.value()));
      case REMOVE -> {
        if (before != null) {
          edits.put(way, key, leaf.with(key, null));
        }
      }
      case READ_MODIFY_WRITE -> {
        if (before != null) {
          edits.put(way, key, leaf.with(key, Operation.countedUp(before)));
        }
      }
    }
    Outcome outcome = tx.commit();
    return outcome instanceof Outcome.Committed committed
        ? new AttemptOutcome.Done(found, committed.clock())
        : new AttemptOutcome.Conflict();
  }

  private static OperationResult scan(PageTransaction tx, Page first, byte[] from, int limit)
      throws TimeoutException {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    Page leaf = first;
    int at = leaf.ceiling(from);
    while (keys.size() < limit) {
      if (at < leaf.keys().size()) {
        keys.add(leaf.keys().get(at));
        values.add(leaf.values().get(at));
        at++;
      } else {
        PageRef next = leaf.next();
        leaf = next == null ? null : tx.read(next);
        at = 0;
        if (leaf == null) {
          break;
        }
      }
    }
    return new OperationResult(keys, values);
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    NodeThreads.Worker worker = workers.get(Math.floorMod(turn.getAndIncrement(), workers.size()));
    if (!worker.submit(() -> answer.accept(answerTo(MigratedOperation.of(question)).toBytes()))) {
      answer.accept(
          new AttemptOutcome.Failed("too many operations wait at " + node.self()).toBytes());
    }
  }

  private AttemptOutcome answerTo(MigratedOperation operation) {
    long deadlineNanos = node.threads().nanoTime() + TIMEOUT_NANOS;
    TreeLayout layout = operation.layout();
    try (PageTransaction tx = new PageTransaction(node, layout, operation.clock(), deadlineNanos)) {
      tx.alsoValidate(operation.reads());
      return here(tx, layout, operation.operation(), operation.subtree(), false);
    } catch (TimeoutException | RuntimeException e) {
      return new AttemptOutcome.Failed(e.toString());
    }
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.close(1_000));
  }
}
