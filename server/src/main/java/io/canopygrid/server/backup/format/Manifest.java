package io.canopygrid.server.backup.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The contents of a backup. It is the last one of its files that is written, so a backup without it
 * is not whole.
 *
 * @param name the backup's name
 * @param grid the id of the grid that it is of
 * @param taken when its snapshot was taken, by the clock of the node that took it, as in ISO 8601
 * @param snapshot the name of that snapshot
 * @param indexes all indexes of the grid
 */
public record Manifest(
    @JsonProperty("name") String name,
    @JsonProperty("grid") String grid,
    @JsonProperty("taken") String taken,
    @JsonProperty("snapshot") String snapshot,
    @JsonProperty("indexes") List<BackedIndex> indexes) {
  /** Copies the list. */
  public Manifest {
    indexes = List.copyOf(indexes);
  }

  private long sum(ToLongFunction<BackupFile> of) {
    return indexes.stream().flatMap(index -> index.files().stream()).mapToLong(of).sum();
  }

  /** The number of entries of all indexes. */
  @JsonIgnore
  public long entries() {
    return sum(BackupFile::entries);
  }

  /** The bytes of all keys and values. */
  @JsonIgnore
  public long bytes() {
    return sum(BackupFile::bytes);
  }

  /** The bytes of all files with entries. */
  @JsonIgnore
  public long size() {
    return sum(BackupFile::size);
  }
}
