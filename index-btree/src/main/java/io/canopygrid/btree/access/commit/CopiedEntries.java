package io.canopygrid.btree.access.commit;

import org.jspecify.annotations.Nullable;

/**
 * The entries that were copied from the layers of a clone into it.
 *
 * @param entries how many
 * @param next the key behind the last one that was looked at; null: that was the end
 */
public record CopiedEntries(long entries, byte @Nullable [] next) {
  static final CopiedEntries NONE = new CopiedEntries(0, null);
}
