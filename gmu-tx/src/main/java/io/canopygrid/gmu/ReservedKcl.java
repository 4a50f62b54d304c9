package io.canopygrid.gmu;

/**
 * The kcls of TOP that hold something. Each has one kind of entry; the entry's own class says what
 * its ku and its value are. The other kcls up to {@link ShardMap#TOP_KCL} are free.
 */
public enum ReservedKcl {
  /** The indexes, by name. */
  CATALOG(1),

  /** The subtrees, by index and separator. */
  CROWN(2),

  /** The named snapshots, by name ({@link Pin}). */
  PINS(3),

  /** The entries that nodes write to find out whether TOP serves, by node. */
  PROBE(4),

  /** The retired subtrees whose headers are still there, by subtree. */
  RETIRED(5),

  /** The numbers of subtrees per node that an operator has fixed, by index. */
  CUT_OFFS(6),

  /** The time of the grid, one entry. */
  TIME(7),

  /** The id of the grid and the time of its founding. */
  GRID(8),

  /**
   * The dropped indexes whose subtrees are still there or can still be read, by name and number.
   */
  DROPS(9),

  /** The level of the grid, one entry ({@link LevelEntry}). */
  LEVEL(10),

  /** The prepared transactions that are not decided, or not forgotten, by their global ids. */
  PREPARED(11);

  private final long kcl;

  ReservedKcl(long kcl) {
    Invariant.holds(kcl > 0 && kcl <= ShardMap.TOP_KCL, "a reserved kcl is in TOP: %s", kcl);
    this.kcl = kcl;
  }

  /** The number. */
  public long kcl() {
    return kcl;
  }

  /** Whether a key is one of this kcl. */
  public boolean has(CompositeKey key) {
    return key.kcl() == kcl;
  }

  /** The key with a ku. */
  public CompositeKey key(byte[] ku) {
    return CompositeKey.of(kcl, ku);
  }

  /** The bytes at or below those of every key of this kcl. */
  public byte[] firstKey() {
    return CompositeKey.header(kcl).bytes();
  }

  /** The bytes above those of every key of this kcl. */
  public byte[] endKey() {
    return CompositeKey.header(kcl + 1).bytes();
  }
}
