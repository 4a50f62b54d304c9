/**
 * How clients prove who they are, and what each may do: the interfaces that a server's security
 * implements.
 */
@NullMarked
package io.canopygrid.server.endpoint.access;

import org.jspecify.annotations.NullMarked;
