/**
 * Simulated grids for tests: the bodies of a test's clients run against several nodes in virtual
 * time, and a seed decides the order of all that happens. Users start with {@link
 * CanopySimulation}.
 */
@NullMarked
package io.canopygrid.junit.simulation;

import org.jspecify.annotations.NullMarked;
