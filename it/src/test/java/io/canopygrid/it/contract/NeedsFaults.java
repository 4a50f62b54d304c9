package io.canopygrid.it.contract;

import io.canopygrid.ErrorCode;
import java.util.Map;

/** The codes that no sound cluster ever shows, and where they are provoked instead. */
final class NeedsFaults {
  static final Map<ErrorCode, String> REASONS =
      Map.ofEntries(
          Map.entry(
              ErrorCode.LOCK_TIMEOUT,
              "needs a transaction that stands still between vote and decision: FailureTest"),
          Map.entry(
              ErrorCode.COMMIT_UNKNOWN, "needs a cluster that cannot tell an outcome: FailureTest"),
          Map.entry(
              ErrorCode.SNAPSHOT_TOO_OLD, "needs garbage collected under a reader: FailureTest"),
          Map.entry(ErrorCode.ROLLBACK_ONLY, "needs a write that fails half way: WholeWriteTest"),
          Map.entry(
              ErrorCode.COMMITS_LOST, "needs a power cut of all: LostCommitsTest, PowerCutTest"),
          Map.entry(
              ErrorCode.CHANGES_LOST, "needs changes that are not kept any more: FeedRequestsTest"),
          Map.entry(ErrorCode.CHECK_FAILED, "needs a precondition, by HTTP only: ApiDataTest"),
          Map.entry(ErrorCode.SHARD_UNAVAILABLE, "needs all owners of a shard gone: FailureTest"),
          Map.entry(
              ErrorCode.GRID_CHANGED,
              "needs all nodes gone and a grid anew: GridChangeTest, GridRestartIT"),
          Map.entry(
              ErrorCode.LEFT_WITH_DATA, "needs a node that leaves with the last copy: LeavingIT"),
          Map.entry(
              ErrorCode.LEAVE_REFUSED,
              "needs a node that cannot be done without: DiskGridTest, DataOnDiskIT"),
          Map.entry(
              ErrorCode.UPGRADE_REFUSED, "needs nodes of two releases: GridUpgradeTest, UpgradeIT"),
          Map.entry(ErrorCode.NOT_FINALIZED, "no request needs a newer level"),
          Map.entry(ErrorCode.TRACES_NOT_SENT, "needs a collector that is down: SpansTest"),
          Map.entry(
              ErrorCode.DISK_UNUSABLE,
              "needs a disk that fails: NodeLifecycleTest, StoredNodesTest"),
          Map.entry(
              ErrorCode.DISK_FULL,
              "needs a disk that is full: TroubledDisksScenarioTest, FailureTest, FullDiskIT"),
          Map.entry(
              ErrorCode.DISK_SLOW,
              "needs a disk that hangs: TroubledDisksScenarioTest, FailureTest, SlowDiskTest"),
          Map.entry(ErrorCode.DISKS_LOST, "needs disks that are given up: RecoverIT"),
          Map.entry(ErrorCode.BACKUP_DAMAGED, "is of commands only: BackupCommandTest, BackupIT"),
          Map.entry(ErrorCode.BACKUP_FORMAT, "is of commands only: BackupCommandTest"),
          Map.entry(ErrorCode.BACKUP_STORE_FAILED, "is of commands only: BackupCommandTest"),
          Map.entry(ErrorCode.INTERNAL_ERROR, "needs a bug"));

  private NeedsFaults() {}
}
