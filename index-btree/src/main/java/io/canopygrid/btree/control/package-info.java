/**
 * The adaptive cut-off: one node of the grid looks at what all subtrees have and are used for, and
 * cuts, joins and places them in small steps (docs/decisions/0011). {@link
 * io.canopygrid.btree.control.CutOffPolicy} decides, {@link io.canopygrid.btree.control.Controller}
 * carries out.
 */
@NullMarked
package io.canopygrid.btree.control;

import org.jspecify.annotations.NullMarked;
