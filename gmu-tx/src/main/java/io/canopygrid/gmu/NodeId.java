package io.canopygrid.gmu;

/** A member of the grid. A process that comes back is a new member with a new id, and no data. */
public record NodeId(long value) implements Comparable<NodeId> {
  @Override
  public int compareTo(NodeId other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return "n" + Long.toUnsignedString(value, 36);
  }
}
