package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.LevelEntry;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.storage.Recovered;
import java.util.Comparator;

/** The level of the grid of a disk, by what its copy of TOP says. */
final class StoredLevel {
  private StoredLevel() {}

  /**
   * Tells a node the level by the content of its disk; nothing where it has not been in a grid.
   *
   * @param top the number of TOP among the shards
   */
  static void tell(Recovered recovered, int top, GridLevel level) {
    if (recovered.topology() != null) {
      LevelEntry stored = in(recovered, top);
      level.is(stored.level(), stored.joined());
    }
  }

  private static LevelEntry in(Recovered recovered, int top) {
    Recovered.Copy copy = recovered.copies().get(top);
    byte[] newest =
        copy == null
            ? null
            : copy.versions().stream()
                .filter(version -> version.key().equals(LevelEntry.KEY))
                .max(Comparator.comparingLong(Recovered.Version::sequenceNumber))
                .map(Recovered.Version::value)
                .orElse(null);
    return newest == null ? LevelEntry.at(LevelEntry.WITHOUT) : LevelEntry.decode(newest);
  }
}
