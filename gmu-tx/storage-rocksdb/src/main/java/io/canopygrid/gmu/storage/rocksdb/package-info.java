/**
 * The data of a node in RocksDB (docs/internals/storage.md). Its write-ahead log is the node's only
 * log: the changes of a group of steps are one record in it. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.storage.rocksdb;

import org.jspecify.annotations.NullMarked;
