package io.canopygrid.gmu.protocol;

/**
 * The protocol's limits.
 *
 * @param lockTimeoutNanos how long a prepare waits for locks before it is refused, at least 1
 * @param scanEntriesMax most entries in one answer to a scan, at least 1
 * @param scanBytesMax bytes of keys and values after which an answer to a scan stops, at least 1
 * @param stateChunkBytes bytes of keys and values after which a chunk of a shard's state is full,
 *     at least 1
 */
public record ProtocolConfig(
    long lockTimeoutNanos, int scanEntriesMax, int scanBytesMax, int stateChunkBytes) {
  public static final ProtocolConfig DEFAULT =
      new ProtocolConfig(50_000_000L, 1_000, 1 << 20, 1 << 18);

  public ProtocolConfig {
    require(lockTimeoutNanos, "lockTimeoutNanos");
    require(scanEntriesMax, "scanEntriesMax");
    require(scanBytesMax, "scanBytesMax");
    require(stateChunkBytes, "stateChunkBytes");
  }

  /** The same with another lock timeout. */
  public ProtocolConfig withLockTimeoutNanos(long nanos) {
    return new ProtocolConfig(nanos, scanEntriesMax, scanBytesMax, stateChunkBytes);
  }

  private static void require(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }
}
