package io.canopygrid.gmu.storage.rocksdb;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last change of a key of the engine.
 *
 * @param value made when it is needed; null: the key is deleted
 */
record NetEntry(byte[] key, @Nullable Supplier<byte[]> value) {
  /** The engine's order. */
  static int compare(NetEntry one, NetEntry other) {
    return Arrays.compareUnsigned(one.key, other.key);
  }
}
