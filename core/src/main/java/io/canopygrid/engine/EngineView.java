package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * One index in one transaction: the snapshot under the transaction's own writes. Keys and values
 * handed in are kept and must not change; those returned are not to be changed. Confined to the
 * transaction's thread.
 */
public interface EngineView {
  /** A key's value, null where there is none. */
  byte @Nullable [] get(byte[] key);

  /** Sets a key's value at commit. */
  void put(byte[] key, byte[] value);

  /** Removes a key at commit. */
  void remove(byte[] key);

  /**
   * The entries of a range. A scan sees own writes that are made before it gets to their keys.
   *
   * @param limit most entries, at least 0; {@link Long#MAX_VALUE} for all
   */
  EngineScan scan(KeyRange range, boolean reverse, long limit);

  /** The number of entries in a range. */
  long count(KeyRange range);

  /**
   * Puts entries into a range in which there is no key yet. A transaction that loads does nothing
   * else.
   *
   * @return how many parts of the index's structure were made of them
   * @throws CanopyException {@link ErrorCode#KEY_EXISTS}
   */
  default int load(SortedPart part) {
    EngineScan scan = scan(KeyRange.of(part.first(), KeyRange.successor(part.last())), false, 1);
    if (scan.advance()) {
      throw new CanopyException(
          ErrorCode.KEY_EXISTS, "there is an entry in the part that is to be loaded");
    }
    part.entries().forEach(entry -> put(entry.key(), entry.value()));
    return 0;
  }

  /** Removes every entry of a range at commit; the number of them. */
  long removeRange(KeyRange range);
}
