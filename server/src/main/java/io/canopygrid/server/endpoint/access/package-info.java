/**
 * The ways in which clients prove who they are, and the rights of each: the interfaces that a
 * server's security implements. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.access;

import org.jspecify.annotations.NullMarked;
