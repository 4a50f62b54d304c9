/**
 * The transactions of one handle: how they begin, are repeated, counted and ended. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.transaction;

import org.jspecify.annotations.NullMarked;
