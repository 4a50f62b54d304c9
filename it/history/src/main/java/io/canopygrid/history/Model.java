package io.canopygrid.history;

/** A guarantee that a history is checked against. */
public enum Model {
  /**
   * The guarantee of the default isolation: committed updates are serializable; each other
   * transaction sees a consistent snapshot of them; two that only read may disagree about the order
   * of two updates, unless one client ran both.
   */
  EXTENDED_UPDATE_SERIALIZABLE("extended-update-serializable"),
  /** Committed transactions are serializable, those that only read included. */
  SERIALIZABLE("serializable");

  private final String label;

  Model(String label) {
    this.label = label;
  }

  /** As a user types it. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
