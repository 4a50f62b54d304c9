package io.canopygrid.btree.embedded;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.CommitsLostException;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.simulation.ForwardingTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node whose crown can be held back, and whose answers a test can replace. It is one of two faces
 * of the node it stands for, which it does not close, and hears of no growth.
 */
final class FaultyNode extends ForwardingNode {
  private final GmuNode node;
  private volatile @Nullable OrderedView<VersionChain> top;
  private volatile Function<ReadQuery, @Nullable ReadAnswer> reads = query -> null;
  private final Queue<Supplier<Outcome>> outcomes = new ArrayDeque<>();

  private final LongSupplier aheadNanos;

  /** By a cut: clocks with numbers from before it are kept up to this one. */
  private volatile VectorClock kept = VectorClock.ZERO;

  /** The numbers from before a cut. */
  private volatile long cutUpTo;

  private final AtomicInteger cuts = new AtomicInteger();

  FaultyNode(GmuNode node) {
    this(node, () -> 0);
  }

  /**
   * A node whose clock a test can advance.
   *
   * @param aheadNanos how far the clock is ahead of the node's own
   */
  FaultyNode(GmuNode node, LongSupplier aheadNanos) {
    this.node = node;
    this.aheadNanos = aheadNanos;
  }

  @Override
  public NodeThreads threads() {
    NodeThreads own = node.threads();
    return new NodeThreads() {
      @Override
      public long nanoTime() {
        return own.nanoTime() + aheadNanos.getAsLong();
      }

      @Override
      public void sleep(long nanos) {
        own.sleep(nanos);
      }

      @Override
      public long random(long bound) {
        return own.random(bound);
      }

      @Override
      public Worker worker(String name, int waitingMax) {
        return own.worker(name, waitingMax);
      }

      @Override
      public Pool pool(String name, int threadsMax, int waitingMax) {
        return own.pool(name, threadsMax, waitingMax);
      }
    };
  }

  @Override
  protected GmuNode node() {
    return node;
  }

  /** Shows this crown from now on; null: the real one. */
  void holdTop(@Nullable OrderedView<VersionChain> view) {
    top = view;
  }

  /** Lets a function answer in place of the node, where its result is not null. */
  void answer(Function<ReadQuery, @Nullable ReadAnswer> function) {
    reads = function;
  }

  /** Ends the next commits like this, without doing them. */
  void end(Outcome... next) {
    for (Outcome outcome : next) {
      instead(() -> outcome);
    }
  }

  /** Does something else in place of the next commit, and ends the commit like that. */
  void instead(Supplier<Outcome> action) {
    outcomes.add(action);
  }

  /**
   * Refuses from now on clocks that have seen more than this one.
   *
   * @param upTo the numbers that were given so far are not above it, those that come are
   */
  void cut(VectorClock seen, long upTo) {
    kept = seen;
    cutUpTo = upTo;
    cuts.incrementAndGet();
  }

  @Override
  public int cuts() {
    return cuts.get();
  }

  private void checkKept(VectorClock token) {
    VectorClock before = token.beyond(token.above(cutUpTo));
    if (!before.precedesOrEquals(kept)) {
      throw new CommitsLostException("lost: " + before, cutUpTo);
    }
  }

  @Override
  public void requireKept(VectorClock clock) {
    checkKept(clock);
  }

  static Outcome aborted(Outcome.AbortReason reason) {
    return new Outcome.Aborted(reason, null, null, null, null);
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    checkKept(token);
    return new ForwardingTransaction(super.begin(token, deadlineNanos)) {
      @Override
      public ReadAnswer read(ReadQuery query) throws TimeoutException {
        ReadAnswer answer = reads.apply(query);
        return answer != null ? answer : super.read(query);
      }

      @Override
      public Outcome commit(Footprint footprint, String label) {
        Supplier<Outcome> instead = outcomes.poll();
        return instead != null ? instead.get() : super.commit(footprint, label);
      }
    };
  }

  @Override
  public OrderedView<VersionChain> top() {
    OrderedView<VersionChain> held = top;
    return held != null ? held : super.top();
  }

  @Override
  public void onGrowth(GrowthListener listener) {}

  @Override
  public void close() {}
}
