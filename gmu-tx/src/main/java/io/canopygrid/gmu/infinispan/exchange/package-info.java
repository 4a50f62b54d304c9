/**
 * Questions that wait for their answer on a connection of their own: the thread that asks reads the
 * answer from the socket itself, so that nobody else has to be woken for it. Beside the channel's
 * connections, to the same members; whatever goes wrong here goes through the channel instead.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.exchange;

import org.jspecify.annotations.NullMarked;
