package io.canopygrid.gmu.storage.rocksdb;

/**
 * The memory, threads and rates of an engine.
 *
 * @param memoryBytes of cached blocks and write buffers together, off the heap; more than {@code
 *     writeBufferBytes}
 * @param writeBufferBytes of changes that are about to be written to a sorted file
 * @param segmentBytes of the write-ahead log, after which it goes on in another file, and these are
 *     brought into the engine; what a start has to read again is a few times as much
 * @param backgroundJobs threads that write and merge sorted files, at least 2
 * @param mergeBytesPerSecond that they write at most
 */
public record EngineLimits(
    long memoryBytes,
    long writeBufferBytes,
    long segmentBytes,
    int backgroundJobs,
    long mergeBytesPerSecond) {
  private static final long MIB = 1 << 20;

  /** Values of so much of the log may have to stay on the heap, a few times. */
  private static final long SEGMENT_BYTES =
      Math.min(32 * MIB, Math.max(2 * MIB, Runtime.getRuntime().maxMemory() / 32));

  /**
   * 256 MiB of memory, half of it for writes, a log in files of 32 MiB, or a thirty-second part of
   * a heap below 1 GiB, and 256 MiB per second.
   */
  public static final EngineLimits DEFAULT =
      new EngineLimits(
          256 * MIB,
          128 * MIB,
          SEGMENT_BYTES,
          Math.max(2, Runtime.getRuntime().availableProcessors() / 2),
          256 * MIB);

  public EngineLimits {
    if (writeBufferBytes < 1
        || memoryBytes <= writeBufferBytes
        || segmentBytes < 1
        || backgroundJobs < 2
        || mergeBytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "limits must be >= 1, with memory for more than the write buffers and 2 jobs:"
              + (" memoryBytes=" + memoryBytes)
              + (" writeBufferBytes=" + writeBufferBytes)
              + (" segmentBytes=" + segmentBytes)
              + (" backgroundJobs=" + backgroundJobs)
              + (" mergeBytesPerSecond=" + mergeBytesPerSecond));
    }
  }
}
