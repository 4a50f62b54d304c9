/**
 * Connections to servers, over Netty: frames, streams, clocks, TLS and who is asking. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.client.netty;

import org.jspecify.annotations.NullMarked;
