/**
 * One owner's data of one shard: version chains, and the commit log. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.gmu.store;

import org.jspecify.annotations.NullMarked;
