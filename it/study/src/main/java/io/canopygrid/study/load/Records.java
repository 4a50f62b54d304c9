package io.canopygrid.study.load;

import io.canopygrid.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The records of one tree: number n has a key that is scattered over all numbers of 63 bits, and
 * {@value #VALUE_BYTES} bytes, a counter in front. Thread-safe.
 */
public final class Records {
  /** Bytes of a value. */
  public static final int VALUE_BYTES = 100;

  /** YCSB's. */
  private static final double SKEW = 0.99;

  private final long loaded;
  private final AtomicLong count;
  private final double zetaOfAll;

  /** Creates so many records, at least 1. */
  public Records(long loaded) {
    this.loaded = loaded;
    this.count = new AtomicLong(loaded);
    double sum = 0;
    for (long i = 1; i <= loaded; i++) {
      sum += 1 / Math.pow((double) i, SKEW);
    }
    this.zetaOfAll = sum;
  }

  /** The number of records that were loaded. */
  public long loaded() {
    return loaded;
  }

  /** The key of a record, as a number. */
  public static long number(long record) {
    return mixed(record) >>> 1;
  }

  /** The key of a record. */
  public static byte[] key(long record) {
    return Codec.int64().encode(number(record));
  }

  /** A value with this counter. */
  public static byte[] value(long counter) {
    return ByteBuffer.allocate(VALUE_BYTES).putLong(counter).array();
  }

  /** The entries to load, in order. */
  public SortedMap<byte[], byte[]> entries() {
    SortedMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    for (long i = 0; i < loaded; i++) {
      entries.put(key(i), value(0));
    }
    return entries;
  }

  /** The number of a record that is not there yet. */
  long next() {
    return count.getAndIncrement();
  }

  /**
   * A record that was loaded.
   *
   * @param uniform from 0 to 1, exclusive
   */
  long uniform(double uniform) {
    return (long) (uniform * loaded);
  }

  /** A record that was loaded; some far more often than others, scattered over all keys. */
  long zipf(double uniform) {
    return Long.remainderUnsigned(mixed(~rank(uniform)), loaded);
  }

  /** One of the last records, which may not be committed yet. */
  long latest(double uniform) {
    return Math.max(0, count.get() - 1 - rank(uniform));
  }

  /** Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994. */
  private long rank(double uniform) {
    double scaled = uniform * zetaOfAll;
    if (scaled < 1) {
      return 0;
    }
    if (scaled < 1 + Math.pow(0.5, SKEW)) {
      return Math.min(1, loaded - 1);
    }
    double zetaOfTwo = 1 + Math.pow(0.5, SKEW);
    double eta = (1 - Math.pow(2.0 / loaded, 1 - SKEW)) / (1 - zetaOfTwo / zetaOfAll);
    long rank = (long) (loaded * Math.pow(eta * uniform - eta + 1, 1 / (1 - SKEW)));
    return Math.min(rank, loaded - 1);
  }

  private static long mixed(long number) {
    long z = number + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
