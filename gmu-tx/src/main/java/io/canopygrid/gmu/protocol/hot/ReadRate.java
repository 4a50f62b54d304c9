package io.canopygrid.gmu.protocol.hot;

/**
 * The reads of a hot key at other nodes than its primary.
 *
 * @param perSecond reads of all of them
 * @param atCopiesPerSecond those of these that keepers have answered
 */
public record ReadRate(double perSecond, double atCopiesPerSecond) {
  private static final double NANOS_PER_SECOND = 1e9;

  static ReadRate of(long reads, long atCopies, long elapsedNanos) {
    double seconds = elapsedNanos / NANOS_PER_SECOND;
    return new ReadRate(reads / seconds, atCopies / seconds);
  }
}
