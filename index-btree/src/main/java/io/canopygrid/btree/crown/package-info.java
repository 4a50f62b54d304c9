/**
 * The content of shard TOP, which every node owns: the catalog of indexes, and the crown, one entry
 * per subtree, which leads from a key to its subtree without asking anyone (docs/decisions/0002).
 */
@NullMarked
package io.canopygrid.btree.crown;

import org.jspecify.annotations.NullMarked;
