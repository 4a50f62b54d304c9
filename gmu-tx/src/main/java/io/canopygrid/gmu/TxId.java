package io.canopygrid.gmu;

/** A transaction from its prepare on: its coordinator, and a counter there that only grows. */
public record TxId(NodeId coordinator, long counter) implements Comparable<TxId> {
  /**
   * The writer of the tombstones that a structure change leaves where it has moved keys away
   * ({@link Footprint.Write#origin}); no transaction has this id. To readers, and to validation,
   * such a key has no version there.
   */
  public static final TxId NOBODY = new TxId(new NodeId(0), 0);

  @Override
  public int compareTo(TxId other) {
    int byNode = coordinator.compareTo(other.coordinator);
    return byNode != 0 ? byNode : Long.compare(counter, other.counter);
  }

  @Override
  public String toString() {
    return coordinator + ":" + counter;
  }
}
