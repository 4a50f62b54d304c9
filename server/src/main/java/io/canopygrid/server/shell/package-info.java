/**
 * The commands that use a cluster through the remote client: {@code shell}, {@code status}, {@code
 * index}, {@code explain}, {@code user}; and {@code cert}. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.shell;

import org.jspecify.annotations.NullMarked;
