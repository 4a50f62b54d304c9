package io.canopygrid.explain;

/**
 * One step of a transaction. Times are in nanoseconds since the transaction began.
 *
 * @param kind what its time was spent on
 * @param isPart whether it is a part of the step before it that is no part: its time is in that
 *     one's
 * @param attempt the attempt that it belongs to, from 1
 * @param what it did, in words
 * @param at where
 * @param beganNanos when it began
 * @param nanos how long it took
 */
public record ExplainedStep(
    StepKind kind, boolean isPart, int attempt, String what, At at, long beganNanos, long nanos) {
  /**
   * The place of a step.
   *
   * @param index the name of the index; empty: none
   * @param shard the shard; negative: none
   * @param node the id of the node; empty: the one that runs the transaction
   * @param rows how many entries it has found; negative: that means nothing
   */
  public record At(String index, int shard, String node, long rows) {
    /** A step of the node that runs the transaction, of no shard. */
    public static final At HERE = new At("", -1, "", -1);

    /** A step at another node. */
    public static At node(String node) {
      return new At("", -1, node, -1);
    }

    /** A step in a shard at a node. */
    public static At shard(int shard, String node) {
      return new At("", shard, node, -1);
    }
  }
}
