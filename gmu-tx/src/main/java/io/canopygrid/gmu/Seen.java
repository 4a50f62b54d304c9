package io.canopygrid.gmu;

import org.jspecify.annotations.Nullable;

/**
 * What a transaction remembers of a key it read: the version's writer, and whether it was a
 * tombstone. No writer: the key had no version.
 */
public record Seen(@Nullable TxId writer, boolean tombstone) {
  public static final Seen ABSENT = new Seen(null, false);
}
