/**
 * The grid's home in Infinispan: membership, placement of the shards and the rebalance are those of
 * a cache without entries, bytes travel over Infinispan's JGroups channel. The only package of the
 * project that knows either of them.
 */
@NullMarked
package io.canopygrid.gmu.infinispan;

import org.jspecify.annotations.NullMarked;
