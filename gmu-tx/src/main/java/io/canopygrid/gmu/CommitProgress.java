package io.canopygrid.gmu;

/**
 * Hears how far the commit of one transaction is, at the node where it runs: for an explanation of
 * where its time went. Called under that node's protocol lock, so it must neither block nor throw;
 * what comes late, after the commit has been told, it is told as well.
 */
@FunctionalInterface
public interface CommitProgress {
  /** An event of a commit. */
  enum Event {
    /** A node is asked to validate and to store a part of the transaction. */
    ASKED,
    /** The primary of the only shard is asked to validate and to decide. */
    DELEGATED,
    /** The node has answered that. */
    ANSWERED,
    /** The node that runs the transaction knows that it commits. */
    DECIDED,
    /** The disk of the node that runs it has the decision. */
    STORED,
    /** A node is told the decision. */
    TOLD,
    /** The node has applied it. */
    APPLIED
  }

  /**
   * An event.
   *
   * @param shard the part of the transaction that it is of; negative: all of it
   * @param nanos when, in the time of the node's protocol
   */
  void on(Event event, NodeId node, int shard, long nanos);
}
