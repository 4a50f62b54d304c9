package io.canopygrid.server.backup.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * An index of a backup. A table is several of them: its rows, its definitions, and the entries of
 * its secondary indexes.
 *
 * @param name the index's name
 * @param keys the id of the codec of its keys
 * @param values the id of the codec of its values
 * @param subtreeEntriesMax entries above which a subtree is split
 * @param subtreesPerNode so many were fixed for each node; 0: none were
 * @param files its entries, file after file in the order of their keys
 */
public record BackedIndex(
    @JsonProperty("name") String name,
    @JsonProperty("keys") String keys,
    @JsonProperty("values") String values,
    @JsonProperty("subtreeEntriesMax") int subtreeEntriesMax,
    @JsonProperty("subtreesPerNode") int subtreesPerNode,
    @JsonProperty("files") List<BackupFile> files) {
  /** Copies the list. */
  public BackedIndex {
    files = List.copyOf(files);
  }

  /** The number of entries. */
  @JsonIgnore
  public long entries() {
    return files.stream().mapToLong(BackupFile::entries).sum();
  }
}
