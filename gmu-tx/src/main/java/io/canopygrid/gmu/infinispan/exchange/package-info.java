/**
 * Questions that wait for their answer on a connection of their own. The thread that asks reads the
 * answer from the socket itself, so no other thread has to be woken for it. These connections go to
 * the same members as the channel's. A message that fails here goes through the channel instead.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.exchange;

import org.jspecify.annotations.NullMarked;
