package io.canopygrid.gmu.storage.directory;

import io.canopygrid.Durability;
import io.canopygrid.gmu.recovery.DiskId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The label of a data directory: whose data it is. Immutable.
 *
 * @param disk made with the directory, and never changed
 * @param grid the grid whose data it is; null: the node has not joined any yet
 * @param shards the number of the grid's shards, at least 1
 * @param durability of the grid
 * @param newestLog the number of the newest segment of the write-ahead log that is known to have
 *     begun, so that there must be one with this number or a higher one; 0: the storage was not
 *     made to its end
 */
public record DiskLabel(
    DiskId disk, @Nullable UUID grid, int shards, Durability durability, long newestLog) {
  DiskLabel withGrid(UUID newGrid) {
    return new DiskLabel(disk, newGrid, shards, durability, newestLog);
  }

  DiskLabel withDurability(Durability newDurability) {
    return new DiskLabel(disk, grid, shards, newDurability, newestLog);
  }

  DiskLabel withNewestLog(long number) {
    return new DiskLabel(disk, grid, shards, durability, number);
  }

  /** Whether the engine and the log were made, so that they must be there. */
  public boolean storageMade() {
    return newestLog > 0;
  }
}
