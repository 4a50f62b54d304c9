package io.canopygrid.it.contract;

import io.canopygrid.ErrorCode;
import java.util.Map;

/** The codes that no sound cluster ever shows, and where they are provoked instead. */
final class NeedsFaults {
  static final Map<ErrorCode, String> REASONS =
      Map.of(
          ErrorCode.LOCK_TIMEOUT,
          "needs a transaction that stands still between vote and decision: FailureTest",
          ErrorCode.COMMIT_UNKNOWN,
          "needs a cluster that cannot tell an outcome: FailureTest",
          ErrorCode.SNAPSHOT_TOO_OLD,
          "needs garbage collected under a reader: FailureTest",
          ErrorCode.ROLLBACK_ONLY,
          "needs a write that fails half way: WholeWriteTest",
          ErrorCode.SHARD_UNAVAILABLE,
          "needs all owners of a shard gone: FailureTest",
          ErrorCode.GRID_CHANGED,
          "needs all nodes gone and a grid anew: GridChangeTest, GridRestartIT",
          ErrorCode.LEFT_WITH_DATA,
          "needs a node that leaves with the last copy: LeavingIT",
          ErrorCode.DISK_UNUSABLE,
          "needs a disk that fails: NodeLifecycleTest, StoredNodesTest",
          ErrorCode.DISK_FULL,
          "needs a disk that is full: FullDisksScenarioTest, FailureTest, FullDiskIT",
          ErrorCode.INTERNAL_ERROR,
          "needs a bug");

  private NeedsFaults() {}
}
