package io.canopygrid.server.backup;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.TreeMap;

/**
 * The work of a restore.
 *
 * @param backup the name of the backup
 * @param grid the id of the grid that the backup is of
 * @param names of the indexes of the backup that are restored, with the names that they get
 * @param step how far it is
 */
record RestoreWork(
    @JsonProperty("backup") String backup,
    @JsonProperty("grid") String grid,
    @JsonProperty("names") Map<String, String> names,
    @JsonProperty("step") Step step) {
  RestoreWork {
    names = new TreeMap<>(names);
  }

  /** The steps, one after the other. */
  enum Step {
    /** Indexes and tables that had these names before are dropped. */
    CLEARING,
    /** Indexes are created and filled. */
    FILLING,
    /** All is restored. */
    COMPLETE
  }

  RestoreWork at(Step next) {
    return new RestoreWork(backup, grid, names, next);
  }

  @JsonIgnore
  boolean isComplete() {
    return step == Step.COMPLETE;
  }
}
