@NullMarked
package io.canopygrid.jcache;

import org.jspecify.annotations.NullMarked;
