package io.canopygrid.explain;

/**
 * One attempt of a transaction. Times are in nanoseconds since the transaction began.
 *
 * @param number from 1
 * @param beganNanos when it began
 * @param nanos how long it took
 * @param code the id of the code with which it ended; empty: it committed, or was only to read
 * @param detail why, in words, which may name keys; empty: there was no error
 * @param index the index in which another transaction was in the way; empty: none, or not known
 * @param other the label of that transaction; empty: none, or not known
 */
public record ExplainedAttempt(
    int number,
    long beganNanos,
    long nanos,
    String code,
    String detail,
    String index,
    String other) {}
