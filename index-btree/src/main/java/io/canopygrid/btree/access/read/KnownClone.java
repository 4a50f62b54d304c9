package io.canopygrid.btree.access.read;

import io.canopygrid.btree.crown.CatalogEntry;
import io.canopygrid.btree.crown.CloneLayer;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A clone by some versions of its entry in the catalog.
 *
 * @param made the clock at or above which a snapshot has the clone
 * @param layers what it shows below its own entries, or showed until it was flattened; empty: it is
 *     not known any more, and nobody needs it
 * @param flattened the clock of the commit since which it shows its own entries alone, zero where
 *     all transactions have it; null: it is not flattened
 * @param dropped the clock of the commit since which it is not there; null: it is there
 */
record KnownClone(
    VectorClock made,
    List<CloneLayer> layers,
    @Nullable VectorClock flattened,
    @Nullable VectorClock dropped) {
  /** The clone of a number by the versions of its name's entry; null: they do not have it. */
  static @Nullable KnownClone in(@Nullable VersionChain versions, int number) {
    KnownClone known = null;
    VectorClock dropped = null;
    for (VersionChain v = versions; v != null; v = v.older()) {
      byte[] value = v.value();
      if (value != null && CatalogEntry.numberOf(value) == number) {
        List<CloneLayer> layers = CatalogEntry.decode(value).layers();
        known =
            new KnownClone(
                v.clock(),
                layers,
                layers.isEmpty() ? v.clock() : known == null ? null : known.flattened,
                dropped);
      } else if (known == null) {
        dropped = v.clock();
      }
    }
    return known;
  }

  /** Whether all transactions have it flattened. */
  boolean isFlattenedForAll() {
    return flattened != null && flattened.equals(VectorClock.ZERO);
  }
}
