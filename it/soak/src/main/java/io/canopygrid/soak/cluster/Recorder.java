package io.canopygrid.soak.cluster;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.history.HistoryWriter;
import io.canopygrid.history.Op;
import io.canopygrid.history.Txn.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The record of the clients of one node: their history, and counts of what happened. Thread-safe.
 */
final class Recorder {
  private final HistoryWriter writer;
  private final String node;
  private final AtomicLong processes;
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong conflicts = new AtomicLong();
  private final AtomicLong failedReads = new AtomicLong();
  private final AtomicLong crashes = new AtomicLong();

  /** Counts by code: refused, late or of unknown outcome, as is right while something is broken. */
  private final Map<String, AtomicLong> faults = new ConcurrentHashMap<>();

  private volatile String firstError = "none";
  private volatile String firstCrash = "none";

  /**
   * Creates the recorder of one node.
   *
   * @param firstProcess clients of this node have numbers from here on
   */
  Recorder(HistoryWriter writer, String node, long firstProcess) {
    this.writer = writer;
    this.node = node;
    this.processes = new AtomicLong(firstProcess);
  }

  Client client() {
    return new Client();
  }

  long committed() {
    return committed.get();
  }

  private long count(String code) {
    AtomicLong count = faults.get(code);
    return count == null ? 0 : count.get();
  }

  /** The counts, and the first error that is no conflict. */
  Command report(Command report) {
    return report
        .with("committed", committed)
        .with("conflicts", conflicts)
        .with("failedReads", failedReads)
        .with("errors", crashes.get() + faults.values().stream().mapToLong(AtomicLong::get).sum())
        .with("unavailable", count("unavailable"))
        .with("timeouts", count("timeout"))
        .with("closed", count("client-closed"))
        .with("crashes", crashes)
        .with("firstError", firstError)
        .with("firstCrash", firstCrash);
  }

  /** Notes an event that no fault of the cluster excuses. */
  void crash(Throwable error) {
    if (crashes.getAndIncrement() == 0) {
      firstCrash = error.toString().replace('\n', ' ');
      error.printStackTrace();
    }
  }

  private void first(Throwable error) {
    if (firstError.equals("none")) {
      firstError = error.toString().replace('\n', ' ');
      error.printStackTrace();
    }
  }

  /** One session: runs one transaction at a time. Confined to a thread. */
  final class Client {
    private long process = processes.getAndIncrement();
    private boolean fin;
    private @Nullable Attempt open;

    /** Marks what follows as reads of the end of the run. */
    void beginFinal() {
      fin = true;
    }

    /** Records the beginning of a transaction; one that is open is known to have failed. */
    Attempt invoke(List<Op> ops) {
      if (open != null) {
        end(Status.FAIL, "conflict");
      }
      try {
        writer.invoke(process, node, fin, ops);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      open = new Attempt(ops);
      return open;
    }

    void committed() {
      end(Status.OK, null);
      committed.incrementAndGet();
    }

    /**
     * Records how an attempt ended that was not acknowledged.
     *
     * @return whether it was a conflict, as there always are
     */
    boolean failed(Throwable error) {
      boolean unknown =
          !(error instanceof CanopyException known)
              || known.commitState() != CommitState.NOT_COMMITTED;
      String code = code(error);
      if (open != null) {
        boolean update = open.ops.stream().anyMatch(op -> op.kind().isWrite());
        end(unknown ? Status.INFO : Status.FAIL, code);
        if (!update) {
          failedReads.incrementAndGet();
        }
      }
      if (unknown) {
        process = processes.getAndIncrement();
      }
      if (code.equals("conflict")) {
        return true;
      }
      if (code.equals("crash")) {
        crash(error);
      } else {
        faults.computeIfAbsent(code, any -> new AtomicLong()).incrementAndGet();
        first(error);
      }
      return false;
    }

    /** Records a lie: that a transaction failed which did not. This method is for planted bugs. */
    void denyCommit() {
      end(Status.FAIL, "conflict");
    }

    private void end(Status status, @Nullable String error) {
      Attempt ended = open;
      if (ended == null) {
        throw new IllegalStateException("no transaction is open");
      }
      open = null;
      try {
        writer.complete(process, node, fin, status, error, ended.ops());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (status == Status.FAIL) {
        conflicts.incrementAndGet();
      }
    }
  }

  /** The history's word for an error. */
  static String code(Throwable error) {
    if (!(error instanceof CanopyException known)) {
      return "crash";
    }
    return switch (known.code()) {
      case WRITE_CONFLICT, LOCK_TIMEOUT, RETRIES_EXHAUSTED -> "conflict";
      case TIMEOUT, COMMIT_UNKNOWN -> "timeout";
      case SHARD_UNAVAILABLE -> "unavailable";
      case DISK_SLOW -> "disk-slow";
      case DISK_FULL -> "disk-full";
      case NOT_CONNECTED -> "not-started";
      case CANOPY_CLOSED, INTERRUPTED -> "client-closed";
      default -> "crash";
    };
  }

  /** One attempt at a transaction: its operations, reads filled in as they are executed. */
  static final class Attempt {
    private final List<Op> ops;

    private Attempt(List<Op> ops) {
      this.ops = Arrays.asList(ops.toArray(Op[]::new));
    }

    void saw(int i, long... values) {
      ops.set(i, ops.get(i).saw(values));
    }

    List<Op> ops() {
      return ops;
    }
  }
}
