/**
 * From one release to the next, node by node: which levels the nodes speak, and the raising of the
 * grid. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.upgrade;

import org.jspecify.annotations.NullMarked;
