/** Statistics, and the management beans of caches. Internal: not for applications. */
@NullMarked
package io.canopygrid.jcache.management;

import org.jspecify.annotations.NullMarked;
