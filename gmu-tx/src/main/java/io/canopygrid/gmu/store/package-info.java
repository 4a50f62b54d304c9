/** What one owner keeps of one shard: version chains in key order, and the commit log. */
@NullMarked
package io.canopygrid.gmu.store;

import org.jspecify.annotations.NullMarked;
