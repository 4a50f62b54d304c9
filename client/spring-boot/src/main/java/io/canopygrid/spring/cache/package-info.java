/** Spring's caches, each of which is an index. */
@NullMarked
package io.canopygrid.spring.cache;

import org.jspecify.annotations.NullMarked;
