/**
 * The port for clients beside a node: it speaks the binary protocol of {@code
 * docs/reference/wire-protocol.md} and HTTP. {@link io.canopygrid.server.endpoint.Endpoint} starts
 * and stops what its subpackages define. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint;

import org.jspecify.annotations.NullMarked;
