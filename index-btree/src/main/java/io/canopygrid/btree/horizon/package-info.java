/**
 * The past that nodes keep in memory, and what keeps it, for people. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.btree.horizon;

import org.jspecify.annotations.NullMarked;
