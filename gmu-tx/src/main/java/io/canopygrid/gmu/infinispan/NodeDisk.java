package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.storage.Recovered;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The disk with which a node joins. It is opened for one life of the node, which closes it at its
 * end; a node that joins again opens it again. Thread-safe.
 */
interface NodeDisk {
  /** The disk, whichever node has it. */
  DiskId id();

  /** The grid that its data is of; null: none yet. */
  @Nullable UUID grid();

  /**
   * Its data is of this grid from now on, and stored as the node is set to; forced.
   *
   * @throws io.canopygrid.gmu.storage.StorageException it is of another one, or the disk fails
   */
  void joins(UUID grid);

  /** The words of operators on lost disks that its nodes have heard. */
  Losses losses();

  /**
   * Stores such words in the place of those that it has; forced.
   *
   * @throws io.canopygrid.gmu.storage.StorageException the disk fails
   */
  void lose(Losses losses);

  /**
   * Its node has left the grid for good: the disk says so, forced. The next node with it begins
   * with an empty one.
   *
   * @throws io.canopygrid.gmu.storage.StorageException the disk fails
   */
  void hasLeft();

  /** The notes that are for people. */
  default DiskNotes notes() {
    return DiskNotes.NONE;
  }

  /** The storage that the node writes to. */
  NodeStorage storage();

  /**
   * The content that it had when it was opened, where copies are closed but TOP's; to be asked
   * once.
   *
   * @param top the number of TOP among the shards
   */
  Recovered recovered(int top);
}
