/** Proves a whole index sound, in one snapshot. */
@NullMarked
package io.canopygrid.btree.check;

import org.jspecify.annotations.NullMarked;
