/** The changes of an index, transaction by transaction. Internal: not for applications. */
@NullMarked
package io.canopygrid.btree.feed;

import org.jspecify.annotations.NullMarked;
