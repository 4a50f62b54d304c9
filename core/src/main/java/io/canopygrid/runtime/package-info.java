/**
 * The handle that all engines share, from which each engine makes its own. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.runtime;

import org.jspecify.annotations.NullMarked;
