/** The places where backups are kept, as named blobs. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.backup.store;

import org.jspecify.annotations.NullMarked;
