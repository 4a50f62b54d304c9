/** Reading and writing bounded binary data: pure, and hard to crash with malformed input. */
@NullMarked
package io.canopygrid.wire;

import org.jspecify.annotations.NullMarked;
