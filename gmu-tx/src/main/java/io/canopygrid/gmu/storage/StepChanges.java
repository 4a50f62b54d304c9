package io.canopygrid.gmu.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what one step of the protocol changes of what its node stores. A node that keeps its
 * data in memory only collects nothing. Confined to the protocol lock, but for what never changes.
 */
public final class StepChanges {
  private final boolean kept;
  private final boolean forcedLater;
  private List<StorageChange> changes = new ArrayList<>();

  /** Whether one of them is to be stored before the node says what rests on it. */
  private boolean relied;

  /**
   * @param kept whether the node stores anything
   * @param forcedLater whether what counts as stored is forced to the disk only later, so that a
   *     power cut can take it
   */
  public StepChanges(boolean kept, boolean forcedLater) {
    this.kept = kept;
    this.forcedLater = forcedLater;
  }

  /** Whether changes are stored; else nobody needs to find them out. */
  public boolean isKept() {
    return kept;
  }

  /** Whether a power cut can take what counts as stored. */
  public boolean isForcedLater() {
    return forcedLater;
  }

  public void add(StorageChange change) {
    if (kept) {
      changes.add(change);
      relied = relied || !change.isMadeAgain();
    }
  }

  public void addAll(List<StorageChange> all) {
    all.forEach(this::add);
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /**
   * Whether what the node says may rest on these changes, and waits until they are stored; else a
   * recovery makes all of them again ({@link StorageChange#isMadeAgain}).
   */
  public boolean isReliedOn() {
    return relied;
  }

  /** The changes since the last call. */
  public List<StorageChange> take() {
    List<StorageChange> taken = changes;
    changes = new ArrayList<>();
    relied = false;
    return taken;
  }
}
