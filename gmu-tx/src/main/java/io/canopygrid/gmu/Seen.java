package io.canopygrid.gmu;

import org.jspecify.annotations.Nullable;

/**
 * A transaction's memory of a key that it read: the version's writer, and whether the version was a
 * tombstone. No writer: the key had no version.
 */
public record Seen(@Nullable TxId writer, boolean tombstone) {
  public static final Seen ABSENT = new Seen(null, false);
}
