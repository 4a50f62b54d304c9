package io.canopygrid.gmu.spi;

import io.canopygrid.Durability;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The place where a node keeps its data. Immutable.
 *
 * @param directory null: in memory only
 * @param durability when a commit counts as stored there; null: there is no directory
 */
public record DataPlace(@Nullable Path directory, @Nullable Durability durability) {
  /** In memory only. */
  public static final DataPlace MEMORY = new DataPlace(null, null);

  public DataPlace {
    if ((directory == null) != (durability == null)) {
      throw new IllegalArgumentException(
          "both or none: directory=" + directory + " durability=" + durability);
    }
  }
}
