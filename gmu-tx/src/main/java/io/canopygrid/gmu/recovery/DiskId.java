package io.canopygrid.gmu.recovery;

/**
 * The identity of a disk, made with its data directory.
 *
 * @param value random, not 0
 */
public record DiskId(long value) implements Comparable<DiskId> {
  @Override
  public int compareTo(DiskId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
