/**
 * Tables: rows, secondary indexes and how these are built, over typed indexes. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.table;

import org.jspecify.annotations.NullMarked;
