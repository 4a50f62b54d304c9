package io.canopygrid.ycsb.cluster;

import io.canopygrid.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The place where the nodes of a cluster keep their data.
 *
 * @param durability of data on disk; null: it is in memory only
 * @param below the directory in which each node gets one of its own, that is removed when the
 *     cluster is closed; null: the one for temporary files
 */
public record ClusterData(@Nullable Durability durability, @Nullable Path below) {
  /** In memory. */
  public static final ClusterData MEMORY = new ClusterData(null, null);

  /** On disk, as nodes keep it where nothing else is said. */
  public static final ClusterData DISK = new ClusterData(Durability.ASYNC, null);
}
