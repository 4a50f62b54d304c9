/**
 * The adaptive cut-off: one node of the grid looks at the size and the use of all subtrees, and
 * cuts, joins and places them in small steps (docs/decisions/0011). {@link
 * io.canopygrid.btree.control.CutOffPolicy} decides; {@link io.canopygrid.btree.control.Controller}
 * carries out. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.control;

import org.jspecify.annotations.NullMarked;
