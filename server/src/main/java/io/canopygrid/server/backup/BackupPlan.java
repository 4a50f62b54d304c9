package io.canopygrid.server.backup;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.backup.format.BackupFile;
import java.util.List;

/**
 * The work of a backup that has begun, which is in its folder until it is whole.
 *
 * @param name the backup's name
 * @param grid the id of the grid
 * @param snapshot the name of the snapshot
 * @param takenMillis when that was taken
 * @param indexes all indexes of that moment
 */
record BackupPlan(
    @JsonProperty("name") String name,
    @JsonProperty("grid") String grid,
    @JsonProperty("snapshot") String snapshot,
    @JsonProperty("takenMillis") long takenMillis,
    @JsonProperty("indexes") List<PlannedIndex> indexes) {
  BackupPlan {
    indexes = List.copyOf(indexes);
  }

  /**
   * An index that is to be backed up.
   *
   * @param number its number in the grid
   * @param keys the id of the codec of its keys
   * @param values the id of the codec of its values
   * @param subtreeEntriesMax entries above which a subtree is split
   * @param subtreesPerNode so many were fixed for each node; 0: none were
   * @param entries about how many it has
   * @param cuts the first keys of its ranges in hexadecimal, the empty one first
   */
  record PlannedIndex(
      @JsonProperty("number") int number,
      @JsonProperty("name") String name,
      @JsonProperty("keys") String keys,
      @JsonProperty("values") String values,
      @JsonProperty("subtreeEntriesMax") int subtreeEntriesMax,
      @JsonProperty("subtreesPerNode") int subtreesPerNode,
      @JsonProperty("entries") long entries,
      @JsonProperty("cuts") List<String> cuts) {
    PlannedIndex {
      cuts = List.copyOf(cuts);
    }
  }

  /** The files of a range that is done. */
  record DoneRange(@JsonProperty("files") List<BackupFile> files) {
    DoneRange {
      files = List.copyOf(files);
    }
  }

  /** The text that means the snapshot of this backup, and none that has its name later. */
  String exactSnapshot() {
    return SnapshotNames.exact(snapshot, takenMillis);
  }
}
