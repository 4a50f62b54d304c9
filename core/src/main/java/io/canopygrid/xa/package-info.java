/**
 * Branches of global transactions through a handle, by the rules of XA. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.xa;

import org.jspecify.annotations.NullMarked;
