package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CutOffEntry;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.crown.IndexNumbers;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.names.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes indexes out of the catalog, in one small transaction: a {@link DropEntry} for each stays
 * until nothing is left of it. The first attempt fixes the greatest number that may be dropped. So
 * an attempt after an unknown outcome does not drop an index that was created again meanwhile.
 * Thread-safe.
 */
public final class IndexDrops {
  /** Stands for the number of the newest index when the drop begins. */
  public static final int NEWEST = 0;

  private static final String LABEL = "canopy.drop";

  private final GmuNode node;
  private final Catalog catalog;

  /** Drops through a node. */
  public IndexDrops(GmuNode node, Catalog catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  /**
   * The indexes of a drop.
   *
   * @param now those that it has dropped; empty: there was none
   * @param before those that were dropped earlier, by somebody who has perhaps not marked them:
   *     only where there was none now
   */
  public record Dropped(List<DropEntry> now, List<DropEntry> before) {
    /** Whether there was something to drop. */
    public boolean isAny() {
      return !now.isEmpty();
    }

    /** All that nobody may use any more. */
    public List<DropEntry> all() {
      return now.isEmpty() ? before : now;
    }
  }

  /**
   * Drops the index of a name.
   *
   * @param upTo the greatest number that it may have, or {@link #NEWEST}
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}, {@link
   *     ErrorCode#COMMIT_UNKNOWN}, {@link ErrorCode#LOCK_TIMEOUT} where a prepared transaction has
   *     used it
   */
  public Dropped dropIndex(String name, int upTo) {
    byte[] from = DropEntry.prefix(name);
    byte[] end = DropEntry.end(name);
    return drop(
        new Drop(
            upTo,
            transaction -> ofName(transaction, name),
            transaction -> Catalog.drops(transaction, from, end)));
  }

  /**
   * Drops a table with all of its indexes.
   *
   * @param upTo the greatest number that its definitions may have, or {@link #NEWEST}
   * @throws CanopyException as {@link #dropIndex}
   */
  public Dropped dropTable(String table, int upTo) {
    byte[] from = DropEntry.prefix(table + ".");
    byte[] end = DropEntry.prefix(table + (char) ('.' + 1));
    return drop(
        new Drop(
            upTo,
            transaction -> ofTable(transaction, table),
            transaction ->
                Catalog.drops(transaction, from, end).stream()
                    .filter(drop -> table.equals(TableNames.tableOf(drop.name())))
                    .toList()));
  }

  private Dropped drop(Drop drop) {
    try {
      return catalog.in(drop);
    } catch (CanopyException e) {
      if (drop.tried == null) {
        throw e;
      }
      throw new CanopyException(
          ErrorCode.COMMIT_UNKNOWN,
          "the cluster did not tell whether it was dropped: " + e.detail(),
          CommitState.UNKNOWN,
          null,
          e);
    }
  }

  /**
   * Indexes that a drop has found.
   *
   * @param root the number that says whether they are the wanted ones; 0: each by its own
   */
  record Found(int root, List<DropEntry> indexes, List<KeyRead> reads, List<RangeRead> ranges) {
    Found upTo(int number) {
      if (root > number) {
        return new Found(root, List.of(), reads, ranges);
      }
      return root > 0
          ? this
          : new Found(
              root,
              indexes.stream().filter(drop -> drop.index().number() <= number).toList(),
              reads,
              ranges);
    }
  }

  private interface Search<T> {
    T run(GmuTransaction transaction) throws TimeoutException;
  }

  private static Found ofName(GmuTransaction transaction, String name) throws TimeoutException {
    CompositeKey key = CatalogEntry.key(name);
    ReadAnswer.Got found = Catalog.get(transaction, key);
    byte[] value = found.value();
    return new Found(
        0,
        value == null ? List.of() : List.of(new DropEntry(name, CatalogEntry.decode(value))),
        List.of(new KeyRead(key, found.seen())),
        List.of());
  }

  /** All that is part of a table. The range is validated: no part comes beside the drop. */
  private static Found ofTable(GmuTransaction transaction, String table) throws TimeoutException {
    byte[] from = CatalogEntry.key(table + ".").ku();
    byte[] to = CatalogEntry.key(table + (char) ('.' + 1)).ku();
    Catalog.Range range = Catalog.range(transaction, ReservedKcl.CATALOG, from, to);
    List<DropEntry> parts = new ArrayList<>();
    int root = 0;
    for (Catalog.Live entry : range.live()) {
      String name = CatalogEntry.name(entry.ku());
      if (table.equals(TableNames.tableOf(name))) {
        DropEntry part = new DropEntry(name, CatalogEntry.decode(entry.value()));
        parts.add(part);
        root = name.equals(TableNames.definitions(table)) ? part.index().number() : root;
      }
    }
    return new Found(root, parts, List.of(), List.of(range.read()));
  }

  /** One drop, which remembers its earlier attempts. Confined to one thread. */
  private final class Drop implements Catalog.Body<Dropped> {
    private final Search<Found> search;
    private final Search<List<DropEntry>> notes;
    private int upTo;

    /** The indexes of an attempt whose outcome is not known; null: there was none. */
    private @Nullable List<DropEntry> tried;

    Drop(int upTo, Search<Found> search, Search<List<DropEntry>> notes) {
      this.upTo = upTo;
      this.search = search;
      this.notes = notes;
    }

    @Override
    public @Nullable Dropped run(GmuTransaction transaction) throws TimeoutException {
      if (upTo == NEWEST) {
        byte[] newest = Catalog.get(transaction, CatalogEntry.NUMBERS).value();
        if (newest == null) {
          return new Dropped(List.of(), List.of());
        }
        upTo = IndexNumbers.decode(newest).last();
      }
      Found found = search.run(transaction).upTo(upTo);
      if (found.indexes().isEmpty()) {
        return tried == null
            ? new Dropped(List.of(), before(transaction))
            : new Dropped(tried, List.of());
      }
      Outcome outcome = transaction.commit(footprint(found, unused(found)), LABEL);
      if (outcome instanceof Outcome.Committed committed) {
        catalog.saw(committed.clock());
        return new Dropped(found.indexes(), List.of());
      }
      if (outcome instanceof Outcome.Unknown) {
        tried = found.indexes();
      } else if (outcome instanceof Outcome.Aborted aborted
          && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
        throw new CanopyException(
            ErrorCode.SHARD_UNAVAILABLE, "the catalog of indexes cannot be written");
      }
      return null;
    }

    private List<DropEntry> before(GmuTransaction transaction) throws TimeoutException {
      return notes.run(transaction).stream().filter(drop -> drop.index().number() <= upTo).toList();
    }

    /**
     * Checks that no prepared transaction has used what is dropped, by this node's copy of TOP; the
     * commit validates that.
     *
     * @throws CanopyException {@link ErrorCode#LOCK_TIMEOUT} where one has
     */
    private RangeRead unused(Found found) {
      PreparedEntry.Known prepared = PreparedEntry.all(node.top());
      for (PreparedEntry entry : prepared.entries()) {
        for (DropEntry drop : found.indexes()) {
          if (entry.holds(drop.index().number())) {
            throw new CanopyException(
                ErrorCode.LOCK_TIMEOUT,
                ("index '" + drop.name() + "' is held by prepared transaction " + entry.id())
                    + ", which is not decided yet",
                CommitState.NOT_COMMITTED,
                null,
                null,
                Map.of("index", drop.name(), "other", entry.id().toString()));
          }
        }
      }
      return prepared.read();
    }

    private Footprint footprint(Found found, RangeRead prepared) {
      Map<Integer, Integer> cutOffs = CutOffEntry.all(node.top());
      List<Write> writes = new ArrayList<>();
      for (DropEntry drop : found.indexes()) {
        writes.add(new Write(CatalogEntry.key(drop.name()), null, null));
        writes.add(new Write(drop.key(), drop.value(), null));
        int number = drop.index().number();
        if (cutOffs.containsKey(number)) {
          writes.add(new Write(CutOffEntry.key(number), null, null));
        }
      }
      List<RangeRead> ranges = new ArrayList<>(found.ranges());
      ranges.add(prepared);
      return new Footprint(found.reads(), ranges, writes);
    }
  }
}
