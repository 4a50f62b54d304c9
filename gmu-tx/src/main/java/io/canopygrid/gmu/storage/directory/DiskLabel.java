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
 * @param engineLog the number of the newest log that the engine is known to have begun, so that it
 *     must have one with this number or a higher one; 0: the engine was not made to its end
 */
public record DiskLabel(
    DiskId disk, @Nullable UUID grid, int shards, Durability durability, long engineLog) {
  DiskLabel withGrid(UUID newGrid) {
    return new DiskLabel(disk, newGrid, shards, durability, engineLog);
  }

  DiskLabel withDurability(Durability newDurability) {
    return new DiskLabel(disk, grid, shards, newDurability, engineLog);
  }

  DiskLabel withEngineLog(long newEngineLog) {
    return new DiskLabel(disk, grid, shards, durability, newEngineLog);
  }

  /** Whether the engine was made, so that it must be there. */
  public boolean engineMade() {
    return engineLog > 0;
  }
}
