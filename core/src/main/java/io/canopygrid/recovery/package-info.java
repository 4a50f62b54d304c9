/**
 * Disks for which a node waits: the node says which, and may be told that they are lost. Internal:
 * not for applications.
 */
@NullMarked
package io.canopygrid.recovery;

import org.jspecify.annotations.NullMarked;
