/**
 * Authentication and authorisation: the users, whom the grid stores, their rights, SCRAM-SHA-256,
 * and certificates.
 */
@NullMarked
package io.canopygrid.server.security;

import org.jspecify.annotations.NullMarked;
