package io.canopygrid.commands;

import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import io.canopygrid.server.terminal.Progress;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs seed after seed on some threads, each run on one of them (the tree's on threads of its own,
 * of which one runs at a time), until all are done, the time is over, or a run has failed.
 */
final class SeedRuns {
  private static final long LOOK_EVERY_MILLIS = 200;

  private final List<SimulatedLayer> layers;
  private final SimulationOptions options;
  private final @Nullable String plant;
  private final long first;
  private final long seeds;
  private final long endsNanos;
  private final @Nullable HistoryFiles histories;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final TreeMap<String, Long> counters = new TreeMap<>();

  /** The throwable that ended a thread, a bug of the simulation. */
  private volatile @Nullable Throwable broken;

  /**
   * Prepares the runs of some seeds.
   *
   * @param endsNanos when no new run begins, in the time of {@link System#nanoTime()}
   * @param histories where the runs' histories go; null: nowhere
   */
  SeedRuns(
      List<SimulatedLayer> layers,
      SimulationOptions options,
      @Nullable String plant,
      long first,
      long seeds,
      long endsNanos,
      @Nullable HistoryFiles histories) {
    this.layers = layers;
    this.options = options;
    this.plant = plant;
    this.first = first;
    this.seeds = seeds;
    this.endsNanos = endsNanos;
    this.histories = histories;
  }

  /** A run that failed. */
  record Failure(SimulatedLayer layer, SimulationResult result) {}

  /**
   * Runs them; returns when no thread is left.
   *
   * @throws UncheckedIOException where a history cannot be written
   */
  void run(int threads, Progress progress) throws InterruptedException {
    CountDownLatch running = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> work(running), "simulation " + i);
      thread.setDaemon(true);
      thread.start();
    }
    while (!running.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      progress.reached(done.get());
    }
    progress.reached(done.get());
    Throwable cause = broken;
    if (cause instanceof UncheckedIOException e) {
      throw e;
    }
    if (cause != null) {
      throw new IllegalStateException("a simulation broke down", cause);
    }
  }

  private void work(CountDownLatch running) {
    try {
      while (failures.isEmpty() && broken == null && System.nanoTime() - endsNanos < 0) {
        long number = next.getAndIncrement();
        if (number >= seeds) {
          return;
        }
        runSeed(first + number);
      }
    } catch (RuntimeException | Error e) {
      broken = e;
    } finally {
      running.countDown();
    }
  }

  private void runSeed(long seed) {
    for (SimulatedLayer layer : layers) {
      SimulationResult result;
      try {
        result = layer.run(seed, options, plant, watch(layer, seed));
      } catch (UncheckedIOException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new IllegalStateException("seed " + seed + " of layer " + layer, e);
      }
      synchronized (counters) {
        result.counters().forEach((what, times) -> counters.merge(what, times, Long::sum));
      }
      if (result.failed()) {
        failures.add(new Failure(layer, result));
      }
    }
    done.incrementAndGet();
  }

  private Watch watch(SimulatedLayer layer, long seed) {
    HistoryFiles files = histories;
    return files == null
        ? Watch.RESULT
        : Watch.history(entries -> files.write(layer, seed, options, entries));
  }

  /** The number of seeds that were run to their end. */
  long done() {
    return done.get();
  }

  /** The failure with the lowest seed; null: there was none. */
  @Nullable Failure firstFailure() {
    Failure lowest = null;
    for (Failure failure : failures) {
      if (lowest == null || failure.result().seed() < lowest.result().seed()) {
        lowest = failure;
      }
    }
    return lowest;
  }

  /** The number of times that each event happened in all runs together. */
  SortedMap<String, Long> counters() {
    synchronized (counters) {
      return new TreeMap<>(counters);
    }
  }
}
