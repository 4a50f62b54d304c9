package io.canopygrid.btree.simulation;

/** A key of an index. */
record Slot(int index, long key) implements Comparable<Slot> {
  @Override
  public int compareTo(Slot other) {
    return index != other.index
        ? Integer.compare(index, other.index)
        : Long.compare(key, other.key);
  }

  @Override
  public String toString() {
    return "i" + index + "[" + key + "]";
  }
}
