/** The bytes of a backup. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.backup.format;

import org.jspecify.annotations.NullMarked;
