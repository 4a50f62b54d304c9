package io.canopygrid.history;

import java.util.List;

/**
 * One transaction: its invocation and its end in one.
 *
 * @param index of the invocation in the history; its name in findings
 * @param process the client, which runs one transaction at a time: a session
 * @param node where it ran, empty if not said
 * @param status how it ended
 * @param startNanos time of the invocation
 * @param endNanos time of the end; {@link Long#MAX_VALUE} if it was not recorded
 * @param fin a read of the end of the run, when nothing is in flight any more
 * @param error short code of a failure, empty if none
 * @param ops the operations with what they observed
 */
public record Txn(
    long index,
    long process,
    String node,
    Status status,
    long startNanos,
    long endNanos,
    boolean fin,
    String error,
    List<Op> ops) {
  /** The end of a transaction. */
  public enum Status {
    /** Acknowledged. */
    OK,
    /** Certainly not committed. */
    FAIL,
    /** The outcome is not known. */
    INFO;

    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  public Txn {
    ops = List.copyOf(ops);
  }

  /** Whether it asked for a change. */
  public boolean writes() {
    return ops.stream().anyMatch(op -> op.kind().isWrite());
  }

  /** The same transaction, with other operations. */
  public Txn withOps(List<Op> others) {
    return new Txn(index, process, node, status, startNanos, endNanos, fin, error, others);
  }

  @Override
  public String toString() {
    StringBuilder words = new StringBuilder("T").append(index).append(" (");
    words.append(status == Status.OK ? (writes() ? "update" : "read-only") : status.label());
    words.append(", process ").append(process);
    if (!node.isEmpty()) {
      words.append(" on ").append(node);
    }
    return words.append(fin ? ", final)" : ")").toString();
  }
}
