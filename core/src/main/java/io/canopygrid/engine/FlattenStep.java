package io.canopygrid.engine;

/**
 * A step of a clone's flattening.
 *
 * @param number of the index, by which the next step knows that it is the same one
 * @param copied how many entries it has copied into the clone
 * @param isLast whether all is copied, and the clone is one no more
 */
public record FlattenStep(int number, long copied, boolean isLast) {}
