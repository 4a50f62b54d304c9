/** Changes of entries, and the listeners that are told of them. Internal: not for applications. */
@NullMarked
package io.canopygrid.jcache.event;

import org.jspecify.annotations.NullMarked;
