/**
 * The local B+tree under each shard's store, on one page. Internal: not for applications.
 *
 * <p>A {@link io.canopygrid.btree.tree.BPlusTree} orders entries by the unsigned order of their
 * keys' bytes. Leaves hold the entries, inner nodes hold separators: every key of the child on the
 * left of a separator is below it, every key of the child on its right is at or above it. All
 * leaves have the same depth, and every node but the root has between half of the arity and the
 * arity of keys.
 *
 * <p><b>Copy on write.</b> One writer changes the tree; a reader takes a view, which is the root of
 * the moment. The writer counts epochs, and each view ends an epoch. A node may be changed in place
 * only in the epoch in which it was made, because no view can reach it then. So the first write of
 * an epoch to a path copies its nodes, and later writes do not. A node owns its array of keys apart
 * from its array of values or children. So overwriting a value copies neither the keys of the leaf
 * nor those of any node above it.
 *
 * <p><b>Few cache misses.</b> The keys of one store begin alike (a co-location id and a tag), so
 * each node knows the length of the prefix that all its keys share, and keeps of each key the eight
 * bytes after that prefix as a long. A search is a binary search over those longs, which lie side
 * by side; keys themselves are looked at only where the longs are equal. Separators are cut to the
 * shortest that separates.
 */
@NullMarked
package io.canopygrid.btree.tree;

import org.jspecify.annotations.NullMarked;
