/**
 * The transactions whose steps are recorded: which ones, and how nodes tell each other of them.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.explain;

import org.jspecify.annotations.NullMarked;
