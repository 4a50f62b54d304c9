/**
 * The start of a node's own Infinispan: its network, its ports, and the search for the other nodes.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.bootstrap;

import org.jspecify.annotations.NullMarked;
