package io.canopygrid.gmu.node;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.spi.ColdState;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
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
 * Reads values that are on the node's disk only, on threads of its own: those that bring messages
 * must not wait for a disk. The reads that wait are bounded by the callers that wait for them.
 * Thread-safe.
 */
final class ColdReads {
  private static final int THREADS = 4;
  private static final long IDLE_SECONDS = 10;

  private final Storage storage;
  private final Loaded loaded;
  private final Consumer<Throwable> failed;
  private final ThreadPoolExecutor threads;

  /** Takes what the protocol has asked for. */
  interface Loaded {
    void take(Effect.Load load, Map<VersionId, byte[]> values);
  }

  /**
   * For one node.
   *
   * @param failed is told that the disk fails
   */
  ColdReads(NodeId self, Storage storage, Loaded loaded, Consumer<Throwable> failed) {
    this.storage = storage;
    this.loaded = loaded;
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
      loaded.take(load, read);
    });
  }

  /** Runs work that reads the disk. */
  void run(Runnable work) {
    threads.execute(() -> {
      try {
        work.run();
      } catch (StorageException e) {
        failed.accept(e);
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
    threads.shutdownNow();
  }
}
