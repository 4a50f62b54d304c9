/**
 * The write-ahead log of a data directory: files with records that are appended, and read when the
 * directory is opened again. It knows nothing of what the records say.
 */
@NullMarked
package io.canopygrid.gmu.storage.wal;

import org.jspecify.annotations.NullMarked;
