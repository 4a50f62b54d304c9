/**
 * The port for clients: the binary protocol of {@code docs/reference/wire-protocol.md} and HTTP,
 * beside a node. The one package that knows Netty.
 */
@NullMarked
package io.canopygrid.server.endpoint;

import org.jspecify.annotations.NullMarked;
