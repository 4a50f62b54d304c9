package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.backup.BackupPlan.DoneRange;
import io.canopygrid.server.backup.BackupPlan.PlannedIndex;
import io.canopygrid.server.backup.format.BackedIndex;
import io.canopygrid.server.backup.format.BackupDocument;
import io.canopygrid.server.backup.format.BackupFile;
import io.canopygrid.server.backup.format.EntryWriter;
import io.canopygrid.server.backup.format.Manifest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a plan says. Each range of an index is read in pages of the plan's snapshot, and each
 * page becomes a file. A range that is done is noted, so that a backup can be gone on with.
 */
final class BackupCreation {
  /** Names of ranges that are done begin with this. */
  static final String DONE = "done/";

  private static final HexFormat HEX = HexFormat.of();
  private static final TransactionOptions PAGE =
      TransactionOptions.labelled("backup").withTimeout(Duration.ofMinutes(2));

  private final RemoteCanopy db;
  private final BackupFolder folder;
  private final BackupPlan plan;
  private final List<Index<byte[], byte[]>> indexes;
  private final TransactionOptions page;
  private final int fileBytes;
  private final LongAdder written = new LongAdder();

  /**
   * The work of a plan.
   *
   * @param indexes those of the plan, in its order
   * @param fileBytes the bytes after which a file is full
   */
  BackupCreation(
      RemoteCanopy db,
      BackupFolder folder,
      BackupPlan plan,
      List<Index<byte[], byte[]>> indexes,
      int fileBytes) {
    this.fileBytes = fileBytes;
    this.db = db;
    this.folder = folder;
    this.plan = plan;
    this.indexes = List.copyOf(indexes);
    this.page = PAGE.at(plan.exactSnapshot());
  }

  /** Some entries as a file, and the last of their keys. */
  private record Page(EntryWriter entries, byte @Nullable [] last, boolean isEnd) {}

  /** The number of entries that are written so far. */
  long written() {
    return written.sum();
  }

  /**
   * Writes all files and the manifest.
   *
   * @param tick is run now and then
   */
  Manifest run(int workers, Runnable tick) {
    Set<String> done = new HashSet<>(folder.files());
    List<Callable<DoneRange>> ranges = new ArrayList<>();
    for (int i = 0; i < plan.indexes().size(); i++) {
      for (int r = 0; r < plan.indexes().get(i).cuts().size(); r++) {
        int index = i;
        int range = r;
        ranges.add(
            () -> done.contains(name(index, range)) ? done(index, range) : copy(index, range));
      }
    }
    List<DoneRange> all = Workers.run(workers, ranges, tick);
    checkSnapshot();
    Manifest manifest = manifest(all);
    folder.complete(manifest);
    return manifest;
  }

  /** A snapshot that somebody has dropped was there for all that was read, or a read had failed. */
  private void checkSnapshot() {
    NamedSnapshot own =
        new NamedSnapshot(plan.snapshot(), Instant.ofEpochMilli(plan.takenMillis()));
    if (!Patience.call(db::snapshots).contains(own)) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_SNAPSHOT,
          "snapshot '" + plan.snapshot() + "' was dropped while the backup was made");
    }
  }

  private Manifest manifest(List<DoneRange> all) {
    List<BackedIndex> backed = new ArrayList<>();
    int at = 0;
    for (PlannedIndex index : plan.indexes()) {
      List<BackupFile> files = new ArrayList<>();
      for (int r = 0; r < index.cuts().size(); r++) {
        files.addAll(all.get(at++).files());
      }
      backed.add(
          new BackedIndex(
              index.name(),
              index.keys(),
              index.values(),
              index.subtreeEntriesMax(),
              index.subtreesPerNode(),
              files));
    }
    return new Manifest(
        plan.name(),
        plan.grid(),
        Instant.ofEpochMilli(plan.takenMillis()).toString(),
        plan.snapshot(),
        backed);
  }

  private static String name(int index, int range) {
    return String.format(Locale.ROOT, "%s%05d-%07d.json", DONE, index, range);
  }

  private DoneRange done(int index, int range) {
    String name = name(index, range);
    DoneRange found = BackupDocument.read(name, folder.get(name), DoneRange.class);
    found.files().forEach(file -> written.add(file.entries()));
    return found;
  }

  private DoneRange copy(int index, int range) {
    List<String> cuts = plan.indexes().get(index).cuts();
    byte[] from = HEX.parseHex(cuts.get(range));
    byte[] to = range + 1 < cuts.size() ? HEX.parseHex(cuts.get(range + 1)) : null;
    List<BackupFile> files = new ArrayList<>();
    while (true) {
      byte[] begin = from;
      Page next = Patience.call(() -> page(indexes.get(index), begin, to));
      if (!next.entries().isEmpty()) {
        String name =
            String.format(Locale.ROOT, "data/%05d-%07d-%05d.gz", index, range, files.size());
        byte[] file = next.entries().finish();
        folder.put(name, file);
        files.add(next.entries().describe(name, file));
      }
      byte[] last = next.last();
      if (next.isEnd() || last == null) {
        break;
      }
      from = KeyRange.successor(last);
    }
    DoneRange done = new DoneRange(files);
    folder.put(name(index, range), BackupDocument.write(done));
    return done;
  }

  /** The entries from a key on, in a transaction that may run again. */
  private Page page(Index<byte[], byte[]> index, byte[] from, byte @Nullable [] to) {
    Range<byte[]> range = to == null ? Range.atLeast(from) : Range.closedOpen(from, to);
    Page read =
        db.<Page, RuntimeException>read(
            page,
            tx -> {
              EntryWriter entries = new EntryWriter(fileBytes);
              byte[] last = null;
              try (Cursor<byte[], byte[]> all = tx.on(index).scan(range)) {
                for (Map.Entry<byte[], byte[]> entry : all) {
                  if (entries.isFull()) {
                    return new Page(entries, last, false);
                  }
                  last = entry.getKey();
                  entries.put(last, entry.getValue());
                }
              }
              return new Page(entries, last, true);
            });
    written.add(read.entries().count());
    return read;
  }
}
