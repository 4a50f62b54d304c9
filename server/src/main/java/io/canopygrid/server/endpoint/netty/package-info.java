/**
 * The Netty pipeline of a port for clients: accepting, TLS, telling the protocols apart, frames,
 * the handshake, a client's connection, and the HTTP pages. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.netty;

import org.jspecify.annotations.NullMarked;
