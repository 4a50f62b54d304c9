/**
 * One subtree: a contiguous range of an index's keys whose entries share a kcl. Its header says
 * which range. {@link io.canopygrid.gmu} knows nothing of ranges and asks this package for them.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.subtree;

import org.jspecify.annotations.NullMarked;
