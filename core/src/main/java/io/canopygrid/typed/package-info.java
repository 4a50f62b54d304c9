/**
 * Typed indexes, their views and cursors over an engine that knows only bytes. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.typed;

import org.jspecify.annotations.NullMarked;
