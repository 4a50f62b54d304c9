/**
 * A transaction's snapshot of the whole tree, in bytes. A key is routed to its subtree and
 * redirects are followed. Pages of a range are asked for before they are needed. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.btree.access.read;

import org.jspecify.annotations.NullMarked;
