package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Subtree;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.backup.BackupPlan.PlannedIndex;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.table.NamedBytes;
import io.canopygrid.wire.client.Reply.IndexOpened;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a backup: a snapshot, and the indexes that it has. No request lists the indexes
 * of a snapshot. So they are listed before and after it, until both are the same.
 */
final class BackupBeginning {
  private static final int ATTEMPTS = 20;
  private static final HexFormat HEX = HexFormat.of();
  private static final DateTimeFormatter NAMES =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final RemoteCanopy db;
  private final BlobStore store;
  private final int fileBytes;

  /**
   * Beginnings in a store.
   *
   * @param fileBytes the bytes after which a file is full
   */
  BackupBeginning(RemoteCanopy db, BlobStore store, int fileBytes) {
    this.db = db;
    this.store = store;
    this.fileBytes = fileBytes;
  }

  /** A backup that has begun, and the indexes of its plan that are open. */
  record Begun(
      BackupFolder folder,
      BackupPlan plan,
      List<Index<byte[], byte[]>> indexes,
      HeldSnapshot snapshot) {}

  /** Begins a new backup. */
  Begun anew() {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      List<IndexOpened> before = catalog();
      if (before.stream().anyMatch(index -> index.name().equals(RestoreMark.INDEX))) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "the grid has not all of its data: " + RestoreMark.HINT);
      }
      HeldSnapshot snapshot = HeldSnapshot.take(db);
      Begun begun = null;
      try {
        List<Index<byte[], byte[]>> indexes = open(before);
        if (before.equals(catalog())) {
          begun = begun(before, indexes, snapshot);
          return begun;
        }
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.UNKNOWN_INDEX) {
          throw e;
        }
      } finally {
        if (begun == null) {
          snapshot.close();
        }
      }
    }
    throw new CanopyException(
        ErrorCode.RETRIES_EXHAUSTED,
        "indexes are created and dropped all the time: " + ATTEMPTS + " snapshots were in between");
  }

  private List<IndexOpened> catalog() {
    return Patience.call(() -> db.catalog().indexes()).stream()
        .sorted(Comparator.comparing(IndexOpened::name))
        .toList();
  }

  private List<Index<byte[], byte[]>> open(List<IndexOpened> catalog) {
    List<Index<byte[], byte[]>> open = new ArrayList<>();
    for (IndexOpened index : catalog) {
      open.add(existing(index.name(), index.keyCodec(), index.valueCodec()));
    }
    return open;
  }

  private Index<byte[], byte[]> existing(String name, String keys, String values) {
    return Patience.call(() -> db.existing(name, new NamedBytes(keys), new NamedBytes(values)));
  }

  private Begun begun(
      List<IndexOpened> catalog, List<Index<byte[], byte[]>> indexes, HeldSnapshot snapshot) {
    NamedSnapshot taken = snapshot.taken();
    List<PlannedIndex> planned = catalog.stream().map(this::planned).toList();
    String name = NAMES.format(taken.taken());
    BackupPlan plan =
        new BackupPlan(
            name, db.grid().id().toString(), taken.name(), taken.taken().toEpochMilli(), planned);
    BackupFolder folder = new BackupFolder(store, name);
    if (!folder.begin(plan)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          store.describe() + " has a backup " + name + " already: try again");
    }
    return new Begun(folder, plan, indexes, snapshot);
  }

  /** The index with the ranges that its present subtrees suggest, each of about one file. */
  private PlannedIndex planned(IndexOpened index) {
    return Patience.call(() -> {
      IndexStructure structure = db.structure(index.name());
      CutOff cutOff = structure.cutOff();
      List<String> cuts = new ArrayList<>(List.of(""));
      long entries = 0;
      long bytes = 0;
      for (Subtree subtree : structure.subtrees()) {
        if (bytes > 0 && bytes + subtree.bytes() > fileBytes) {
          cuts.add(HEX.formatHex(subtree.from()));
          bytes = 0;
        }
        bytes += subtree.bytes();
        entries += subtree.entries();
      }
      return new PlannedIndex(
          index.index(),
          index.name(),
          index.keyCodec(),
          index.valueCodec(),
          index.subtreeEntriesMax(),
          cutOff.fixed() ? cutOff.subtreesPerNode() : 0,
          entries,
          cuts);
    });
  }

  /**
   * The newest backup of this grid that is not whole and can be gone on with.
   *
   * @param tell hears of one that cannot
   * @return null: there is none
   */
  @Nullable Begun unfinished(Consumer<String> tell) {
    String grid = db.grid().id().toString();
    List<BackupFolder> all = BackupFolder.all(store);
    for (int i = all.size() - 1; i >= 0; i--) {
      BackupFolder folder = all.get(i);
      BackupPlan plan = folder.isWhole() ? null : folder.plan();
      if (plan != null && plan.grid().equals(grid)) {
        Begun begun = resumed(folder, plan);
        if (begun != null) {
          return begun;
        }
        tell.accept(
            "backup "
                + plan.name()
                + " cannot be gone on with, since its snapshot or an index was dropped: remove it");
      }
    }
    return null;
  }

  private @Nullable Begun resumed(BackupFolder folder, BackupPlan plan) {
    NamedSnapshot taken =
        new NamedSnapshot(plan.snapshot(), Instant.ofEpochMilli(plan.takenMillis()));
    if (!Patience.call(db::snapshots).contains(taken)) {
      return null;
    }
    List<IndexOpened> catalog = catalog();
    List<Index<byte[], byte[]>> indexes = new ArrayList<>();
    for (PlannedIndex index : plan.indexes()) {
      if (catalog.stream()
          .noneMatch(
              there -> there.index() == index.number() && there.name().equals(index.name()))) {
        return null;
      }
      indexes.add(existing(index.name(), index.keys(), index.values()));
    }
    return new Begun(folder, plan, indexes, HeldSnapshot.of(db, taken));
  }
}
