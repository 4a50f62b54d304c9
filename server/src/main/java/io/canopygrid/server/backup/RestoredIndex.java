package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.SortedPart.Entry;
import io.canopygrid.function.PartLoader;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.BackupFile;
import io.canopygrid.server.backup.format.EntryReader;
import io.canopygrid.table.NamedBytes;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * An index that gets the entries of one of a backup. Entries are written by their bytes, past the
 * codecs, and past the table where the index is a part of one. Thread-safe.
 */
final class RestoredIndex {
  private static final int BATCH_ENTRIES = 500;
  private static final int BATCH_BYTES = 1 << 20;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("restore").withTimeout(Duration.ofMinutes(1));

  private final RemoteCanopy db;
  private final BackedIndex from;
  private final Index<byte[], byte[]> to;

  private RestoredIndex(RemoteCanopy db, BackedIndex from, Index<byte[], byte[]> to) {
    this.db = db;
    this.from = from;
    this.to = to;
  }

  /** Creates an index of this name, as the one of the backup was, where there is none. */
  static RestoredIndex create(RemoteCanopy db, BackedIndex from, String name) {
    Index<byte[], byte[]> to =
        Patience.call(() -> {
          db.create(name, from.keys(), from.values(), from.subtreeEntriesMax());
          return db.existing(name, new NamedBytes(from.keys()), new NamedBytes(from.values()));
        });
    if (from.subtreesPerNode() > 0) {
      Patience.call(() -> db.structure(name).fixCutOff(OptionalInt.of(from.subtreesPerNode())));
    }
    return new RestoredIndex(db, from, to);
  }

  /** The index of the backup. */
  BackedIndex from() {
    return from;
  }

  /** Writes an entry in a caller's transaction. */
  void put(Transaction tx, byte[] key, byte[] value) {
    view(tx).put(key, value);
  }

  /** Writes an entry. */
  void put(byte[] key, byte[] value) {
    put(List.of(new Entry(key, value)));
  }

  private EngineView view(Transaction tx) {
    return ((OpenTransaction) tx).engine().on(((TypedIndex<byte[], byte[]>) to).opened());
  }

  /**
   * Writes all entries of a file. As they are sorted they become whole subtrees, which is faster.
   * Where that is refused they are put, which does no harm where some are there already.
   *
   * @param isNew whether no entry of the file can be there
   */
  void fill(BackupFile file, byte[] stored, boolean isNew) {
    if (isNew) {
      try {
        load(file, stored);
        return;
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.KEY_EXISTS
            && e.code() != ErrorCode.PART_OF_TABLE
            && !Patience.isPassing(e)) {
          throw e;
        }
      }
    }
    List<Entry> batch = new ArrayList<>();
    int[] bytes = new int[1];
    EntryReader.read(
        file,
        stored,
        (key, value) -> {
          batch.add(new Entry(key, value));
          bytes[0] += key.length + value.length;
          if (batch.size() == BATCH_ENTRIES || bytes[0] >= BATCH_BYTES) {
            put(batch);
            batch.clear();
            bytes[0] = 0;
          }
        });
    put(batch);
  }

  private void load(BackupFile file, byte[] stored) {
    EntryCodec<byte[], byte[]> codec =
        new EntryCodec<>(to.name(), new NamedBytes(from.keys()), new NamedBytes(from.values()));
    try (PartLoader<byte[], byte[]> loader = new PartLoader<>(db, to, codec, Pace.MACHINE)) {
      EntryReader.read(file, stored, loader::add);
      loader.flush();
    }
  }

  private void put(List<Entry> batch) {
    Patience.call(() -> {
      db.run(
          OPTIONS,
          tx -> {
            EngineView view = view(tx);
            batch.forEach(entry -> view.put(entry.key(), entry.value()));
          });
      return true;
    });
  }

  /**
   * Checks that the index has as many entries as the backup.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  void checkCount() {
    long count =
        Patience.call(
            () -> db.<Long, RuntimeException>read(OPTIONS, tx -> tx.on(to).count(Range.all())));
    if (count != from.entries()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "index '"
              + to.name()
              + "' has "
              + count
              + " entries after "
              + from.entries()
              + " were restored: somebody else writes to it; "
              + RestoreMark.HINT);
    }
  }
}
