package io.canopygrid.btree.access;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.engine.IndexCounters;
import io.canopygrid.engine.OpenIndex;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** An index as transactions know it, and its counters at this node. Thread-safe. */
public final class IndexRef implements OpenIndex {
  private final String name;
  private final CatalogEntry entry;
  private final Function<byte[], String> keyText;
  private final LongSupplier splits;
  private final BooleanSupplier current;
  private final IndexCounters counters;

  /**
   * An index of the catalog.
   *
   * @param keyText shows an encoded key to people
   * @param splits how many of its subtrees this node has split
   * @param current whether it has the name still, as far as this node knows
   */
  public IndexRef(
      String name,
      CatalogEntry entry,
      Function<byte[], String> keyText,
      LongSupplier splits,
      BooleanSupplier current) {
    this(name, entry, keyText, splits, current, new IndexCounters());
  }

  private IndexRef(
      String name,
      CatalogEntry entry,
      Function<byte[], String> keyText,
      LongSupplier splits,
      BooleanSupplier current,
      IndexCounters counters) {
    this.name = name;
    this.entry = entry;
    this.keyText = keyText;
    this.splits = splits;
    this.current = current;
    this.counters = counters;
  }

  /** The index of a layer below this one, with the same counters. */
  public IndexRef of(CloneLayer layer) {
    return new IndexRef(layer.name(), entry.of(layer), keyText, () -> 0, () -> true, counters);
  }

  /** The index that had this one's name before, with the same counters. */
  public IndexRef before(CatalogEntry other) {
    return new IndexRef(name, other, keyText, splits, current, counters);
  }

  @Override
  public boolean isCurrent() {
    return current.getAsBoolean();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String keyCodec() {
    return entry.keyCodec();
  }

  @Override
  public String valueCodec() {
    return entry.valueCodec();
  }

  @Override
  public IndexOptions options() {
    return new IndexOptions(entry.subtreeEntriesMax());
  }

  /** Whether it was made as a clone. */
  public boolean isClone() {
    return entry.isClone();
  }

  /** The number under which the crown knows it. */
  public int number() {
    return entry.number();
  }

  /** The subtree that begins at the empty key. */
  public long firstSubtree() {
    return entry.firstSubtree();
  }

  /** A key for people. */
  public String textOf(byte[] key) {
    return keyText.apply(key);
  }

  @Override
  public IndexCounters counters() {
    return counters;
  }

  @Override
  public IndexStats stats() {
    return counters.summary(splits.getAsLong());
  }
}
