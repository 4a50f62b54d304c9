/**
 * What a node that waits for disks of others says of them, and may be told. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.recovery;

import org.jspecify.annotations.NullMarked;
