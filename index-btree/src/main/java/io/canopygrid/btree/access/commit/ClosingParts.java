package io.canopygrid.btree.access.commit;

/** Finishes shifts that another node began and left unfinished. */
public interface ClosingParts {
  /** Sees to it that the subtree is not closing any more; does not wait for that. */
  void settle(long kcl);
}
