package io.canopygrid.gmu;

/**
 * A transaction that runs at a node, and holds the horizon at its clock or below.
 *
 * @param label names it for people; empty: nobody named it
 * @param ageNanos since it began, as of the last tick
 */
public record HoldingTransaction(String label, long ageNanos) {}
