/**
 * The transaction over any number of indexes, loads of whole subtrees, and a commit that follows
 * keys which have moved. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.access.commit;

import org.jspecify.annotations.NullMarked;
