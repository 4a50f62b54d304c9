/** Tests of the write-ahead log alone. */
@NullMarked
package io.canopygrid.gmu.storage.wal;

import org.jspecify.annotations.NullMarked;
