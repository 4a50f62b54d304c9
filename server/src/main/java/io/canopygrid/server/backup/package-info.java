/** Makes backups of a grid, checks them, and restores them. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.backup;

import org.jspecify.annotations.NullMarked;
