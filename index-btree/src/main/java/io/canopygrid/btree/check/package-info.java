/**
 * Checks that a whole index is sound, in one snapshot, and that shards serve. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.btree.check;

import org.jspecify.annotations.NullMarked;
