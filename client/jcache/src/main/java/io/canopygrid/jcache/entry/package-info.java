/**
 * Stored values, and the changes of entries in one transaction: expiry, the writer and events
 * included. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.jcache.entry;

import org.jspecify.annotations.NullMarked;
