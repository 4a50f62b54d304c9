/** Tests of the Netty pipeline, without sockets. */
@NullMarked
package io.canopygrid.server.endpoint.netty;

import org.jspecify.annotations.NullMarked;
