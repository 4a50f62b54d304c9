/** Tests of users and certificates. */
@NullMarked
package io.canopygrid.server.security;

import org.jspecify.annotations.NullMarked;
