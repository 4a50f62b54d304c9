/** Who clients are and what they may do: users, kept in the grid, and SCRAM-SHA-256. */
@NullMarked
package io.canopygrid.server.security;

import org.jspecify.annotations.NullMarked;
