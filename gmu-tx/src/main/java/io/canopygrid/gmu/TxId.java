package io.canopygrid.gmu;

/** A transaction from its prepare on: its coordinator, and a counter there that only grows. */
public record TxId(NodeId coordinator, long counter) implements Comparable<TxId> {
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
