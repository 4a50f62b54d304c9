package io.canopygrid.gmu.storage.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;
import org.rocksdb.WriteBufferManager;

/**
 * The engine's options, and why. They hold memory off the heap, which {@link #close} gives up,
 * after the engine is closed.
 */
final class EngineOptions implements AutoCloseable {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private static final long REFILL_MICROS = 100_000;
  private static final int FAIRNESS = 10;

  /** One key in a hundred is looked for in a file that does not have it. */
  private static final double FILTER_BITS = 10;

  /** In the order of their creation, all to be closed. */
  private final List<AutoCloseable> held = new ArrayList<>();

  private final DBOptions ofEngine;
  private final ColumnFamilyOptions ofFamilies;

  /**
   * @param isNew whether the engine is made, else it must be there
   */
  EngineOptions(EngineLimits limits, boolean isNew) {
    LRUCache cache = held(new LRUCache(limits.memoryBytes()));
    ofEngine =
        held(DBOptions.getDBOptionsFromProps(withoutSetters()))
            .setCreateIfMissing(isNew)
            .setCreateMissingColumnFamilies(isNew)
            .setErrorIfExists(isNew)
            .setParanoidChecks(true)
            // Without a log of the engine's own, its families must not run ahead of each other.
            .setAtomicFlush(true)
            // Buffers are charged to the cache, so that one limit holds for both.
            .setWriteBufferManager(held(new WriteBufferManager(limits.writeBufferBytes(), cache)))
            .setMaxBackgroundJobs(limits.backgroundJobs())
            .setRateLimiter(
                held(
                    new RateLimiter(
                        limits.mergeBytesPerSecond(),
                        REFILL_MICROS,
                        FAIRNESS,
                        RateLimiterMode.WRITES_ONLY,
                        // A limit that follows the load is at its least when a load begins.
                        false)))
            // The system writes files as they grow, not all at once when they are forced.
            .setBytesPerSync(MIB)
            .setMaxOpenFiles(1_000)
            .setMaxLogFileSize(4 * MIB)
            .setKeepLogFileNum(4)
            .setStatsDumpPeriodSec(0)
            .setStatsPersistPeriodSec(0);
    ofFamilies =
        held(new ColumnFamilyOptions())
            .setWriteBufferSize(Math.max(64 * KIB, limits.writeBufferBytes() / 2))
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            // Large values are merged by their place only.
            .setEnableBlobFiles(true)
            .setMinBlobSize(16 * KIB)
            .setBlobCompressionType(CompressionType.LZ4_COMPRESSION)
            .setEnableBlobGarbageCollection(true)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setBlockSize(16 * KIB)
                    // A value is read by its version's whole key.
                    .setFilterPolicy(held(new BloomFilter(FILTER_BITS)))
                    .setCacheIndexAndFilterBlocks(true)
                    .setPinL0FilterAndIndexBlocksInCache(true));
  }

  /** The options that the Java interface does not have, by their names in RocksDB. */
  private static Properties withoutSetters() {
    Properties options = new Properties();
    // A checksum for each sorted file as a whole, in the manifest.
    options.setProperty("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory");
    // A write that has failed is not tried again.
    options.setProperty("max_bgerror_resume_count", "0");
    return options;
  }

  private <T extends AutoCloseable> T held(T one) {
    held.add(one);
    return one;
  }

  DBOptions ofEngine() {
    return ofEngine;
  }

  ColumnFamilyOptions ofFamilies() {
    return ofFamilies;
  }

  @Override
  public void close() {
    for (int i = held.size() - 1; i >= 0; i--) {
      closeOne(held.get(i));
    }
  }

  private static void closeOne(AutoCloseable one) {
    try {
      one.close();
    } catch (Exception e) {
      throw new IllegalStateException("none of these throws", e);
    }
  }
}
