/**
 * The content of shard TOP, which every node owns: the catalog of indexes and the crown. The crown
 * has one entry per subtree and leads from a key to its subtree without a question to another node
 * (docs/decisions/0002). Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.crown;

import org.jspecify.annotations.NullMarked;
