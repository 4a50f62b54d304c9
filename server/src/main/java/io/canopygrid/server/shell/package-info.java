/** The commands {@code shell} and {@code status}: a cluster seen through the remote client. */
@NullMarked
package io.canopygrid.server.shell;

import org.jspecify.annotations.NullMarked;
