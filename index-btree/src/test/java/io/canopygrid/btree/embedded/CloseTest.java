package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The close of a lone node. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class CloseTest {
  /**
   * Sleeps for hours where a worker sleeps, and says how each sleep ended. The worker has more time
   * for its end than its owner gives it: what wakes late has been woken all the same.
   */
  private static final class LongSleeps implements NodeThreads {
    private final NodeThreads machine;
    private final CountDownLatch sleeping = new CountDownLatch(1);
    private final CompletableFuture<Boolean> wokenByInterrupt = new CompletableFuture<>();

    LongSleeps(NodeThreads machine) {
      this.machine = machine;
    }

    @Override
    public long nanoTime() {
      return machine.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
      machine.sleep(nanos);
    }

    @Override
    public long random(long bound) {
      return machine.random(bound);
    }

    @Override
    public Pool pool(String name, int threadsMax, int waitingMax) {
      return machine.pool(name, threadsMax, waitingMax);
    }

    @Override
    public Worker worker(String name, int waitingMax) {
      Worker real = machine.worker(name, waitingMax);
      return name.startsWith("canopy-balance-") ? new LongSleeper(real) : real;
    }

    private final class LongSleeper implements Worker {
      private final Worker real;

      LongSleeper(Worker real) {
        this.real = real;
      }

      @Override
      public boolean submit(Runnable task) {
        return real.submit(task);
      }

      @Override
      public boolean isClosed() {
        return real.isClosed();
      }

      @Override
      public void sleep(long nanos) {
        sleeping.countDown();
        real.sleep(TimeUnit.HOURS.toNanos(1));
        wokenByInterrupt.complete(Thread.currentThread().isInterrupted());
      }

      @Override
      public void close(long millis) {
        real.close(30_000);
      }
    }
  }

  private static GmuNode with(GmuNode node, NodeThreads threads) {
    return new ForwardingNode() {
      @Override
      protected GmuNode node() {
        return node;
      }

      @Override
      public NodeThreads threads() {
        return threads;
      }
    };
  }

  /** A sleep that lasts until the controller's patience is over would end by an interrupt. */
  @Test
  void theCloseWakesTheControllerInsteadOfWaitingForItsSleep() throws Exception {
    GmuNode lone =
        StandaloneNode.start(
            new ShardMap(4), NodeSettings.DEFAULT, BPlusTree.factory(), new SubtreeFences());
    LongSleeps threads = new LongSleeps(lone.threads());
    EmbeddedCanopy canopy = EmbeddedCanopy.balanced(with(lone, threads), BalanceLimits.DEFAULT);
    threads.sleeping.await();

    canopy.close();

    assertThat(threads.wokenByInterrupt.get()).isFalse();
  }
}
