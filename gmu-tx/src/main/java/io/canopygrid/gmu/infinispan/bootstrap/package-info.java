/** The start of an Infinispan of a node's own: its network, its ports, and finding the others. */
@NullMarked
package io.canopygrid.gmu.infinispan.bootstrap;

import org.jspecify.annotations.NullMarked;
