/**
 * Bytes between the members of a grid, over a fork of Infinispan's JGroups channel and the
 * connections beside it. The package knows nothing of topologies or state. {@link
 * io.canopygrid.gmu.infinispan.transport.TransportListener} takes in the messages that come.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.transport;

import org.jspecify.annotations.NullMarked;
