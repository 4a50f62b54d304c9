package io.canopygrid.gmu.node;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.copy.CopyRecovery;
import io.canopygrid.gmu.spi.ColdState;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is on the node's disk only, values and closed copies, on threads of its own: those
 * that bring messages must not wait for a disk. The reads that wait are bounded by the callers that
 * wait for them. Thread-safe.
 */
final class ColdReads {
  private static final int THREADS = 4;
  private static final long IDLE_SECONDS = 10;

  /** The keys of a closed copy that are told at a time: others wait for the protocol meanwhile. */
  private static final int KEYS = 256;

  private final Storage storage;
  private final Told told;
  private final Consumer<Throwable> failed;
  private final ThreadPoolExecutor threads;
  private volatile boolean ended;

  /** Takes what the protocol has asked for. */
  interface Told {
    void loaded(Effect.Load load, Map<VersionId, byte[]> values);

    /**
     * Takes versions of a closed copy.
     *
     * @param last whether these are the last ones
     */
    void opened(Effect.Open open, List<KeyVersions> versions, boolean last);
  }

  /**
   * For one node.
   *
   * @param failed is told that the disk fails, or what it tells is wrong: a read that has no answer
   *     would be waited for without end
   */
  ColdReads(NodeId self, Storage storage, Told told, Consumer<Throwable> failed) {
    this.storage = storage;
    this.told = told;
    this.failed = failed;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> MachineThreads.daemon(task, "canopy-io-" + self));
    threads.allowCoreThreadTimeOut(true);
    // A read that is asked for after the end is dropped.
    threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Reads what a step has asked for. */
  void load(Effect.Load load) {
    run(() -> {
      Map<VersionId, byte[]> read = new HashMap<>();
      for (VersionId id : load.versions()) {
        byte[] value = storage.read(id);
        if (value != null) {
          read.put(id, value);
        }
      }
      told.loaded(load, read);
    });
  }

  /** Reads the versions of a closed copy, and tells them some at a time. */
  void open(Effect.Open open) {
    run(() -> {
      List<KeyVersions> all =
          CopyRecovery.chainsOf(storage.open(open.shard(), open.valueBytesMax()));
      int from = 0;
      do {
        int end = Math.min(all.size(), from + KEYS);
        told.opened(open, all.subList(from, end), end == all.size());
        from = end;
      } while (from < all.size() && !ended);
    });
  }

  /** Runs work that reads the disk. */
  void run(Runnable work) {
    threads.execute(() -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        if (!ended) {
          failed.accept(e); // else the disk is closed
        }
      }
    });
  }

  /**
   * The completion of chunks.
   *
   * @param isCurrent whether a topology is the one installed last
   */
  ColdState chunks(Topologies isCurrent) {
    return new ColdState() {
      @Override
      public void run(Runnable work) {
        ColdReads.this.run(work);
      }

      @Override
      public @Nullable State complete(State chunk) {
        State complete = completed(chunk);
        return isCurrent.isLast(chunk.topology()) ? complete : null;
      }
    };
  }

  /** Says whether a topology is the one that is installed. */
  interface Topologies {
    boolean isLast(long id);
  }

  private State completed(State chunk) {
    return chunk.chains().stream().anyMatch(each -> each.chain().hasCold())
        ? chunk.withChains(chains(chunk))
        : chunk;
  }

  private List<KeyVersions> chains(State chunk) {
    List<KeyVersions> chains = new ArrayList<>(chunk.chains().size());
    for (KeyVersions each : chunk.chains()) {
      CompositeKey key = each.key();
      VersionChain whole =
          each.chain()
              .warmed(v ->
                  storage.read(new VersionId(chunk.shard(), key, v.sequenceNumber(), v.tid())));
      if (whole != null) {
        chains.add(new KeyVersions(key, whole));
      }
    }
    return chains;
  }

  /** Reads nothing any more. */
  void end() {
    ended = true;
    threads.shutdownNow();
  }
}
