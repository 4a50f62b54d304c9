package io.canopygrid.study.tree;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;

/**
 * The layout of one study tree; the same on every node that uses it. Immutable.
 *
 * @param variant which mechanisms; not {@link Variant#CANOPY}
 * @param tree its number: trees of different numbers share nothing
 * @param arity most entries of a leaf and children of an inner page, at least 4
 * @param cutLevel pages at this level and above are above the cut-off, at least 1
 */
public record TreeLayout(Variant variant, int tree, int arity, int cutLevel) {
  /** A kcl of TOP that nothing else uses: the pages that are on every node. */
  private static final long TOP_KCL = 14;

  /** Kcls from here on, 2^31 of them, are in shards and have no headers. */
  private static final long FIRST_KCL = 16;

  private static final long KCLS = 1L << 31;

  private static final long ROOT_ID = 0;

  /** The first byte of every page's ku. */
  private static final byte PAGE = 'p';

  public TreeLayout {
    if (variant == Variant.CANOPY) {
      throw new IllegalArgumentException("Canopy's index is no study tree");
    }
    if (arity < 4) {
      throw new IllegalArgumentException("must be >= 4: arity=" + arity);
    }
    if (cutLevel < 1) {
      throw new IllegalArgumentException("must be >= 1: cutLevel=" + cutLevel);
    }
  }

  /** The root, which stays where it is when it is split. */
  PageRef root() {
    return new PageRef(PageRef.ROOT_LEVEL, kcl(PageRef.ROOT_LEVEL, ROOT_ID, 0), ROOT_ID);
  }

  /**
   * The kcl of a new page.
   *
   * @param sibling the kcl of the page that it is split from, or of the page above it in its
   *     subtree
   */
  long kcl(int level, long id, long sibling) {
    if (isInCrown(level)) {
      return variant.replicated() ? TOP_KCL : hashed(id);
    }
    return variant.coLocated() && level < cutLevel - 1 ? sibling : hashed(id);
  }

  private long hashed(long id) {
    long mixed = (id ^ tree) * 0x9E3779B97F4A7C15L;
    return FIRST_KCL + Long.remainderUnsigned(mixed ^ mixed >>> 29, KCLS);
  }

  boolean isInCrown(int level) {
    return level >= cutLevel;
  }

  /** Whether pages of this level have a copy on every node. */
  boolean isReplicated(int level) {
    return variant.replicated() && isInCrown(level);
  }

  CompositeKey key(PageRef page) {
    byte[] ku = new ByteWriter(16).writeByte(PAGE).writeInt(tree).writeLong(page.id()).toBytes();
    return CompositeKey.of(page.kcl(), ku);
  }

  void write(ByteWriter out) {
    out.writeText(variant.name()).writeInt(tree).writeInt(arity).writeInt(cutLevel);
  }

  static TreeLayout read(ByteReader in) {
    return new TreeLayout(Variant.valueOf(in.readText()), in.readInt(), in.readInt(), in.readInt());
  }
}
