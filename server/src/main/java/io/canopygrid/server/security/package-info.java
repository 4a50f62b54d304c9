/**
 * Authentication and authorisation: the users, whom the grid stores, their rights, SCRAM-SHA-256,
 * and certificates. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.security;

import org.jspecify.annotations.NullMarked;
