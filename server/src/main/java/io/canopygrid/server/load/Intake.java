package io.canopygrid.server.load;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Loader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the entries of a load. Entries that come in the order of their keys, above all keys of the
 * index, become whole new subtrees; all others are put. Confined to one thread.
 */
final class Intake implements AutoCloseable {
  private final LoadWorkers workers;
  private final @Nullable Loader<byte[], byte[]> loader;
  private final byte @Nullable [] greatest;
  private final Consumer<String> tell;

  /** Entries that the loader has and that are not known to be committed: a few MiB at most. */
  private final Deque<Entry> unconfirmed = new ArrayDeque<>();

  private byte @Nullable [] last;
  private long confirmed;
  private boolean puts;

  /**
   * An intake of an index. If another writer adds keys above all others meanwhile, the intake puts
   * all further entries.
   *
   * @param puts whether entries in order are put as well
   */
  static Intake open(
      Canopy db,
      Index<byte[], byte[]> index,
      LoadWorkers workers,
      boolean puts,
      Consumer<String> tell) {
    List<byte[]> greatest =
        db.read(tx -> {
          Map.Entry<byte[], byte[]> last = tx.on(index).lastEntry();
          return last == null ? List.<byte[]>of() : List.of(last.getKey());
        });
    return new Intake(
        workers, db.loader(index), greatest.isEmpty() ? null : greatest.get(0), puts, tell);
  }

  /** An intake of a table, whose rows are all put. */
  static Intake ofTable(LoadWorkers workers, Consumer<String> tell) {
    return new Intake(workers, null, null, true, tell);
  }

  private Intake(
      LoadWorkers workers,
      @Nullable Loader<byte[], byte[]> loader,
      byte @Nullable [] greatest,
      boolean puts,
      Consumer<String> tell) {
    this.workers = workers;
    this.loader = loader;
    this.greatest = greatest;
    this.puts = puts;
    this.tell = tell;
  }

  /**
   * Takes an entry.
   *
   * @param line the line of the entry, for people
   * @throws CanopyException the error of earlier entries that could not be put
   */
  void add(Entry entry, int line) {
    if (!puts && last != null && Arrays.compareUnsigned(last, entry.key()) >= 0) {
      flush();
      putFromNow("line " + line + ": its key is not above the one before");
    }
    last = entry.key();
    Loader<byte[], byte[]> to = loader;
    if (puts
        || to == null
        || (greatest != null && Arrays.compareUnsigned(entry.key(), greatest) <= 0)) {
      workers.add(entry);
      return;
    }
    if (confirmed == 0 && unconfirmed.isEmpty()) {
      workers.flush();
    }
    unconfirmed.add(entry);
    load(to, () -> to.add(entry.key(), entry.value()));
  }

  /** Returns when all entries are committed. */
  void flush() {
    if (!puts && loader != null) {
      load(loader, loader::flush);
    }
    workers.flush();
  }

  /**
   * Runs a step of the loader. If a part is refused, or its outcome is not known, the intake puts
   * the entries of that part, which is safe to do twice.
   */
  private void load(Loader<byte[], byte[]> from, Runnable step) {
    try {
      step.run();
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.KEY_EXISTS
          && e.code() != ErrorCode.COMMIT_UNKNOWN
          && e.code() != ErrorCode.RETRIES_EXHAUSTED
          && !e.retryable()) {
        throw e;
      }
      confirm(from);
      putFromNow(e.detail());
      unconfirmed.forEach(workers::add);
      unconfirmed.clear();
      return;
    }
    confirm(from);
  }

  private void confirm(Loader<byte[], byte[]> from) {
    for (long committed = from.committed(); confirmed < committed; confirmed++) {
      unconfirmed.remove();
    }
  }

  private void putFromNow(String why) {
    puts = true;
    tell.accept("from here on records are put one by one, which is slower: " + why);
  }

  /** The number of entries that went into whole subtrees. */
  long loaded() {
    return confirmed;
  }

  /** The number of transactions of puts that were begun. */
  long transactions() {
    return workers.transactions();
  }

  @Override
  public void close() {
    if (loader != null) {
      loader.close();
    }
    workers.close();
  }
}
