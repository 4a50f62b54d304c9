/**
 * Reading and writing bounded binary data: pure, and hard to crash with malformed input. Internal:
 * not for applications.
 */
@NullMarked
package io.canopygrid.wire;

import org.jspecify.annotations.NullMarked;
