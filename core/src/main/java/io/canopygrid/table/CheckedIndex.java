package io.canopygrid.table;

import io.canopygrid.IndexState;
import io.canopygrid.TableReport.Depth;
import io.canopygrid.TableReport.IndexCheck;
import io.canopygrid.TableReport.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An index of a table that is being compared with the rows. Confined to one thread. */
final class CheckedIndex {
  /** As many rows without their entries are remembered, to find others with their attributes. */
  private static final int REMEMBERED_MAX = 1_000;

  private final TableState.Kept index;
  private final @Nullable EntryParts parts;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<byte[], byte[]> withoutEntry = new TreeMap<>(Arrays::compareUnsigned);
  private Depth depth;
  private IndexState state;
  private long entries;

  /**
   * An index that is to be compared.
   *
   * @param parts takes its entries apart; null: they cannot be, and the index is not compared
   */
  CheckedIndex(TableState.Kept index, Depth depth, @Nullable EntryParts parts) {
    this.index = index;
    this.parts = parts;
    this.state = index.state();
    this.depth = state == IndexState.READY && parts != null ? depth : Depth.NONE;
  }

  TableState.Kept index() {
    return index;
  }

  EntryParts parts() {
    EntryParts known = parts;
    if (known == null) {
      throw new IllegalStateException("index '" + index.name() + "' is not compared");
    }
    return known;
  }

  boolean isCompared() {
    return depth != Depth.NONE;
  }

  boolean isFull() {
    return depth == Depth.FULL;
  }

  /** Whether the index is as it was; where it is not, it is not compared any more. */
  boolean isUnchanged(TableState now) {
    TableState.Kept found = now.find(index.number());
    state = found == null ? IndexState.DROPPING : found.state();
    if (state == IndexState.READY) {
      return true;
    }
    depth = Depth.NONE;
    return false;
  }

  /** The key of a row that had no entry of this key when it was looked at. */
  byte @Nullable [] rowWithout(byte[] entry) {
    return withoutEntry.get(entry);
  }

  /** Takes over what a piece has found. */
  void add(IndexFindings found) {
    entries += found.entries();
    found.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    found
        .withoutEntry()
        .forEach((entry, key) -> {
          if (withoutEntry.size() < REMEMBERED_MAX) {
            withoutEntry.putIfAbsent(entry, key);
          }
        });
  }

  IndexCheck result() {
    return new IndexCheck(index.name(), state, depth, entries, counts);
  }
}
