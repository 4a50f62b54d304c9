/** The local B+tree against a dumb twin, its checker against planted faults. */
@NullMarked
package io.canopygrid.btree.tree;

import org.jspecify.annotations.NullMarked;
