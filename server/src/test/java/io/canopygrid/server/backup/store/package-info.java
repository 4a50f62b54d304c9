/** Tests of the places where backups are kept. */
@NullMarked
package io.canopygrid.server.backup.store;

import org.jspecify.annotations.NullMarked;
