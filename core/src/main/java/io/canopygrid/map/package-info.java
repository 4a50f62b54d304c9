/**
 * Indexes as {@link java.util.NavigableMap}: in one transaction, or with a transaction for each
 * call. All of it stands on the public interfaces, so embedded nodes and clients share it.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.map;

import org.jspecify.annotations.NullMarked;
