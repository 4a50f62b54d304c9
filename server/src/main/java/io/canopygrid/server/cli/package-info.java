/**
 * The command line {@code canopy}. Commands of other modules join in as {@link
 * io.canopygrid.server.cli.Subcommand} services, so this module knows none of them. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.server.cli;

import org.jspecify.annotations.NullMarked;
