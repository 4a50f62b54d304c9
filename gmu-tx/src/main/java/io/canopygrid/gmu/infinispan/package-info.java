/**
 * The grid's home in Infinispan: membership, placement of the shards and the rebalance are those of
 * a cache without entries, and bytes travel over Infinispan's JGroups channel. Only this package
 * and those below it know either of them: {@code bootstrap} starts an Infinispan, {@code transport}
 * and {@code exchange} carry bytes, {@code state} paces state transfer, and this package is for
 * membership.
 */
@NullMarked
package io.canopygrid.gmu.infinispan;

import org.jspecify.annotations.NullMarked;
