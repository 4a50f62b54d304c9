package io.canopygrid.gmu.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what one step of the protocol changes of what its node stores. A node that keeps its
 * data in memory only collects nothing. Confined to the protocol lock.
 */
public final class StepChanges {
  private final boolean kept;
  private List<StorageChange> changes = new ArrayList<>();

  /**
   * @param kept whether the node stores anything
   */
  public StepChanges(boolean kept) {
    this.kept = kept;
  }

  /** Whether changes are stored; else nobody needs to find them out. */
  public boolean isKept() {
    return kept;
  }

  public void add(StorageChange change) {
    if (kept) {
      changes.add(change);
    }
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** The changes since the last call. */
  public List<StorageChange> take() {
    List<StorageChange> taken = changes;
    changes = new ArrayList<>();
    return taken;
  }
}
