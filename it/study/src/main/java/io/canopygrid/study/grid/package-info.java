/**
 * Nodes that carry the index and the study trees at once, on a real cluster or a simulated grid.
 */
@NullMarked
package io.canopygrid.study.grid;

import org.jspecify.annotations.NullMarked;
