package io.canopygrid.server.backup;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The keys of a table's rows, as hashes of 64 bits: eight bytes for each row. That two of a billion
 * keys have one hash has a chance of one to forty. Even then a row has to lack, to be missed.
 */
final class RowKeys {
  private final long[] hashes;
  private final AtomicInteger size = new AtomicInteger();

  /** Takes so many keys. */
  RowKeys(long rows) {
    this.hashes = new long[Math.toIntExact(rows)];
  }

  /** Adds a key; any number of threads may do so at once. */
  void add(byte[] key) {
    hashes[size.getAndIncrement()] = hash(key);
  }

  /** Ends adding. */
  void sort() {
    Arrays.sort(hashes);
  }

  /** Whether the key was added. */
  boolean contains(byte[] key) {
    return Arrays.binarySearch(hashes, hash(key)) >= 0;
  }

  /** FNV-1a, with the last step of MurmurHash3. */
  private static long hash(byte[] key) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : key) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
