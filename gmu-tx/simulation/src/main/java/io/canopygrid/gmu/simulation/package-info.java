/**
 * A whole grid on one thread, in virtual time: the protocol under random delays, reordering,
 * duplicates and faults, a workload, and a checker of what the protocol promises. One seed gives
 * one run.
 */
@NullMarked
package io.canopygrid.gmu.simulation;

import org.jspecify.annotations.NullMarked;
