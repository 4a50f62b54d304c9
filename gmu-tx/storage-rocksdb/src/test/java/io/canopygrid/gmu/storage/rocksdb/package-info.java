/** Tests of the storage in RocksDB, and of what any storage keeps to. */
@NullMarked
package io.canopygrid.gmu.storage.rocksdb;

import org.jspecify.annotations.NullMarked;
