package io.canopygrid.study.tree;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The compared variants: trees with none, one or all of the paper's mechanisms, and the index. */
public enum Variant {
  /** A plain B+tree: each page placed by hash and read in the transaction. */
  BASELINE("Baseline", false, false, false),
  /** Pages below the cut-off are together, and operations move to them. */
  SUB_TREES("Sub-trees", true, false, false),
  /** Inner pages are read outside of the transaction. */
  DIRTY("Dirty", false, true, false),
  /** The pages above the cut-off are on every node. */
  TOP_FULL("TopFull", false, false, true),
  /** All three, with the cut-off right above the leaves. */
  ALL_INNER("AllInner", true, true, true),
  /** All three, with the cut-off below the second level from the root. */
  FIXED_AT_2("FixedAt2", true, true, true),
  /** The index of this project, whose cut-off adapts. */
  CANOPY("Canopy", true, true, true);

  private final String label;
  private final boolean coLocated;
  private final boolean dirty;
  private final boolean replicated;

  Variant(String label, boolean coLocated, boolean dirty, boolean replicated) {
    this.label = label;
    this.coLocated = coLocated;
    this.dirty = dirty;
    this.replicated = replicated;
  }

  /** The name in the paper and in results. */
  public String label() {
    return label;
  }

  boolean coLocated() {
    return coLocated;
  }

  boolean dirty() {
    return dirty;
  }

  boolean replicated() {
    return replicated;
  }

  /** The lowest level above the cut-off of a tree whose root is at this level; leaves are at 0. */
  int cutLevel(int rootLevel) {
    return this == ALL_INNER ? 1 : Math.max(1, rootLevel - 1);
  }

  /**
   * Variants by their labels, with commas; {@code all} is all of them.
   *
   * @throws IllegalArgumentException for a name that is none
   */
  public static List<Variant> parse(String names) {
    if (names.equals("all")) {
      return List.of(values());
    }
    return Arrays.stream(names.split(",")).map(String::trim).map(Variant::of).distinct().toList();
  }

  private static Variant of(String name) {
    for (Variant variant : values()) {
      if (variant.label.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return variant;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "variant must be one of %s or all: %s",
            Arrays.stream(values()).map(Variant::label).toList(),
            name));
  }

  @Override
  public String toString() {
    return label;
  }
}
