/**
 * The catalog of indexes, the named snapshots and the fixed cut-offs, which TOP keeps beside the
 * crown. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.catalog;

import org.jspecify.annotations.NullMarked;
