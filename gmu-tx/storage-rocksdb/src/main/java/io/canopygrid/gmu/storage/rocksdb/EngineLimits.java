package io.canopygrid.gmu.storage.rocksdb;

/**
 * The memory, threads and rates of an engine.
 *
 * @param memoryBytes of cached blocks and write buffers together, off the heap; more than {@code
 *     writeBufferBytes}
 * @param writeBufferBytes of changes that are in the write-ahead log only; where there are more,
 *     the oldest are written to a sorted file
 * @param logBytesMax of the write-ahead log, which is read when the engine is opened; where there
 *     are more, buffers are written to sorted files until the oldest log is needed no more
 * @param backgroundJobs threads that write and merge sorted files, at least 2
 * @param mergeBytesPerSecond that they write at most
 */
public record EngineLimits(
    long memoryBytes,
    long writeBufferBytes,
    long logBytesMax,
    int backgroundJobs,
    long mergeBytesPerSecond) {
  private static final long MIB = 1 << 20;

  /** 256 MiB of memory, half of it for writes, a log of 256 MiB, and 128 MiB per second. */
  public static final EngineLimits DEFAULT =
      new EngineLimits(
          256 * MIB,
          128 * MIB,
          256 * MIB,
          Math.max(2, Runtime.getRuntime().availableProcessors() / 2),
          128 * MIB);

  public EngineLimits {
    if (writeBufferBytes < 1
        || memoryBytes <= writeBufferBytes
        || logBytesMax < 1
        || backgroundJobs < 2
        || mergeBytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "limits must be >= 1, with memory for more than the write buffers and 2 jobs:"
              + (" memoryBytes=" + memoryBytes)
              + (" writeBufferBytes=" + writeBufferBytes)
              + (" logBytesMax=" + logBytesMax)
              + (" backgroundJobs=" + backgroundJobs)
              + (" mergeBytesPerSecond=" + mergeBytesPerSecond));
    }
  }
}
