package io.canopygrid.gmu.node;

/**
 * For how long the oldest step of a node that is not stored has waited, as far as looks show: the
 * truth is above it by one rest between looks at most. Confined to one thread.
 */
final class StoredAge {
  private final long restNanosMax;
  private long lookedAt;
  private long marked;
  private long age;

  /**
   * From now on.
   *
   * @param restNanosMax a rest between two looks counts as this at most: in a longer one the whole
   *     process did not run, and nobody knows what the disk did
   * @param stored the position up to which all is stored
   */
  StoredAge(long restNanosMax, long nowNanos, long stored) {
    this.restNanosMax = restNanosMax;
    lookedAt = nowNanos;
    marked = stored;
  }

  /**
   * Looks.
   *
   * @param taken the position of the last step
   * @param stored the position up to which all is stored
   * @return the age in nanoseconds; 0: all steps of the last look are stored
   */
  long look(long nowNanos, long taken, long stored) {
    long rest = Math.min(nowNanos - lookedAt, restNanosMax);
    lookedAt = nowNanos;
    if (stored >= marked) {
      marked = taken;
      age = 0;
    } else {
      age += rest;
    }
    return age;
  }
}
