/**
 * A grid in Infinispan: membership, placement of the shards and the rebalance are those of a cache
 * without entries, and bytes travel over Infinispan's JGroups channel. Only this package and the
 * packages below it know Infinispan and JGroups. {@code bootstrap} starts an Infinispan, {@code
 * transport} and {@code exchange} carry bytes, {@code state} paces state transfer. This package
 * itself is for membership. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan;

import org.jspecify.annotations.NullMarked;
