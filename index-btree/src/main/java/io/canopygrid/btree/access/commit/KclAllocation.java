package io.canopygrid.btree.access.commit;

/** Gives new subtrees their kcls. */
public interface KclAllocation {
  /** Kcls that were never used, so many, placed for balance. */
  long[] kcls(int count);
}
