package io.canopygrid.recovery;

import java.util.List;

/**
 * The disks that a grid waits for, as a node knows them that waits, and an operator's word that
 * some are lost. Thread-safe; each call may take some seconds.
 */
public interface LostDisks {
  /**
   * Says what is missing, and what would be if more disks were lost. Changes nothing.
   *
   * @param without as of {@link #lose}
   */
  MissingReport report(List<String> without);

  /**
   * An operator says that disks are lost. This node stores that, and tells the other nodes.
   *
   * @param without the disks, each by the id of its node in the last topology, by that node's name,
   *     or by its address
   * @param losesShards whether shards of which no copy is left then may begin empty
   * @return {@link MissingReport.Outcome#LOST} where it counts from now on; else nothing has
   *     changed
   */
  MissingReport lose(List<String> without, boolean losesShards);
}
