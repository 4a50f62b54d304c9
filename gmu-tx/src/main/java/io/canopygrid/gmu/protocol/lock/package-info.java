/**
 * The locks of a primary: requests for them, waits, and the validation that follows. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.gmu.protocol.lock;

import org.jspecify.annotations.NullMarked;
