package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/**
 * The headers that were looked up in one unchanging view of a shard, each read of which needs one:
 * as many as there is room for, by kcl. Where two kcls have the same place the last one stays.
 * Thread-safe: what is put and found is immutable, and one that another thread does not see yet is
 * looked up again.
 */
final class HeaderCache {
  /** A power of two. */
  private static final int PLACES = 16;

  /** Made when there is something to be put: most views of a shard in use are never read. */
  private @Nullable Found @Nullable [] places;

  /** The header's versions in the view; null: the kcl has none. */
  record Found(long kcl, @Nullable VersionChain versions) {}

  /** The header that was found of a kcl; null: it is to be looked up. */
  @Nullable Found get(long kcl) {
    @Nullable Found[] all = places;
    Found found = all == null ? null : all[placeOf(kcl)];
    return found == null || found.kcl() != kcl ? null : found;
  }

  void put(Found found) {
    @Nullable Found[] all = places;
    if (all == null) {
      all = new Found[PLACES];
      places = all;
    }
    all[placeOf(found.kcl())] = found;
  }

  private static int placeOf(long kcl) {
    return (int) ((kcl * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (PLACES - 1);
  }
}
