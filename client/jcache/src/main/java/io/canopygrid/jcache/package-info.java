/**
 * Caches of JCache (JSR 107) that are indexes. Applications name {@link
 * io.canopygrid.jcache.CanopyCachingProvider} and {@link io.canopygrid.jcache.CanopyConfiguration},
 * or neither.
 */
@NullMarked
package io.canopygrid.jcache;

import org.jspecify.annotations.NullMarked;
