/** Proves a whole index sound, in one snapshot; and that shards serve. */
@NullMarked
package io.canopygrid.btree.check;

import org.jspecify.annotations.NullMarked;
