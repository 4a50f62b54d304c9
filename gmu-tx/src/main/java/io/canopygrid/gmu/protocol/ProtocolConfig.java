package io.canopygrid.gmu.protocol;

/**
 * The protocol's limits.
 *
 * @param lockTimeoutNanos how long a prepare waits for locks before it is refused, at least 1
 * @param scanEntriesMax most entries in one answer to a scan, at least 1
 * @param scanBytesMax bytes of keys and values after which an answer to a scan stops, at least 1
 * @param stateChunkBytes bytes of keys and values after which a chunk of a shard's state is full,
 *     at least 1
 * @param resendNanos how long an answer of another member is awaited before it is asked again, at
 *     least 1; looked at in each tick
 * @param failuresAtOnce how many nodes may fail at once without anything being lost that was seen,
 *     at least 1; above 1 a commit takes a round trip more
 */
public record ProtocolConfig(
    long lockTimeoutNanos,
    int scanEntriesMax,
    int scanBytesMax,
    int stateChunkBytes,
    long resendNanos,
    int failuresAtOnce) {
  public static final ProtocolConfig DEFAULT =
      new ProtocolConfig(50_000_000L, 1_000, 1 << 20, 1 << 18);

  /** One failure at a time, and a second before anything is sent again. */
  public ProtocolConfig(
      long lockTimeoutNanos, int scanEntriesMax, int scanBytesMax, int stateChunkBytes) {
    this(lockTimeoutNanos, scanEntriesMax, scanBytesMax, stateChunkBytes, 1_000_000_000L, 1);
  }

  public ProtocolConfig {
    require(lockTimeoutNanos, "lockTimeoutNanos");
    require(scanEntriesMax, "scanEntriesMax");
    require(scanBytesMax, "scanBytesMax");
    require(stateChunkBytes, "stateChunkBytes");
    require(resendNanos, "resendNanos");
    require(failuresAtOnce, "failuresAtOnce");
  }

  /** The same with another lock timeout. */
  public ProtocolConfig withLockTimeoutNanos(long nanos) {
    return new ProtocolConfig(
        nanos, scanEntriesMax, scanBytesMax, stateChunkBytes, resendNanos, failuresAtOnce);
  }

  /** The same with another time after which messages are sent again. */
  public ProtocolConfig withResendNanos(long nanos) {
    return new ProtocolConfig(
        lockTimeoutNanos, scanEntriesMax, scanBytesMax, stateChunkBytes, nanos, failuresAtOnce);
  }

  /** The same for so many failures at once. */
  public ProtocolConfig withFailuresAtOnce(int count) {
    return new ProtocolConfig(
        lockTimeoutNanos, scanEntriesMax, scanBytesMax, stateChunkBytes, resendNanos, count);
  }

  private static void require(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }
}
